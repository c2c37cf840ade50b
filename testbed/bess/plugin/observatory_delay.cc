// The module ObservatoryDelay.
#include "observatory_delay.h"

#include "embedded/clock.h"
#include "embedded/report.h"
#include "packets.h"

namespace {

constexpr int delivery_batch = 32;  // the most packets from one line before others get their turn

}  // namespace

const Commands ObservatoryDelay::cmds = {
    {"held", "StringValue", MODULE_CMD_FUNC(&ObservatoryDelay::held), Command::THREAD_SAFE},
    {"finish", "StringValue", MODULE_CMD_FUNC(&ObservatoryDelay::finish), Command::THREAD_UNSAFE}};

CommandResponse ObservatoryDelay::Init(const plugin::Json& argument) {
  return plugin::guarded([&] {
    const nlohmann::json document = nlohmann::json::parse(argument.value());
    for (const auto& line : document.at("lines")) {
      lines_.push_back({embedded::DelayLine(line.at("delay_ns").get<std::int64_t>()),
                        line.at("after_queue").get<bool>(), {}, 0, {}});
    }
    lateness_.emplace(embedded::monotonic_ns());
    if (RegisterTask(nullptr) == INVALID_TASK_ID) {
      return CommandFailure(ENOMEM, "cannot register the task of the delay lines");
    }
    return CommandSuccess();
  });
}

void ObservatoryDelay::DeInit() { abandon(); }

void ObservatoryDelay::ProcessBatch(Context* context, bess::PacketBatch* batch) {
  Line& line = lines_[context->current_igate];
  const std::int64_t now_ns = embedded::monotonic_ns();
  for (int place = 0; place < batch->cnt(); ++place) {
    bess::Packet* packet = batch->pkts()[place];
    const std::int64_t from_ns = line.after_queue ? plugin::serialised_ns(packet) : now_ns;
    const auto frame_bytes = static_cast<std::uint32_t>(packet->total_len());
    line.in.add(frame_bytes);
    line.frames.enter(plugin::handle_of(packet), frame_bytes, from_ns);
  }
  held_.fetch_add(static_cast<std::uint64_t>(batch->cnt()), std::memory_order_relaxed);
}

task_result ObservatoryDelay::RunTask(Context* context, bess::PacketBatch*, void*) {
  const std::int64_t now_ns = embedded::monotonic_ns();
  lateness_->looked(now_ns, polled_ns_ > 0 ? polled_ns_ : now_ns);
  polled_ns_ = now_ns;
  int delivered = 0;
  for (std::size_t gate = 0; gate < lines_.size(); ++gate) {
    delivered += deliver(context, static_cast<gate_idx_t>(gate), now_ns);
  }
  held_.fetch_sub(static_cast<std::uint64_t>(delivered), std::memory_order_relaxed);
  return {.block = delivered == 0, .packets = static_cast<std::uint32_t>(delivered), .bits = 0};
}

int ObservatoryDelay::deliver(Context* context, gate_idx_t gate, std::int64_t now_ns) {
  Line& line = lines_[gate];
  if (line.frames.due_ns() > now_ns) {
    return 0;
  }
  bess::PacketBatch* batch = context->task->AllocPacketBatch();
  batch->clear();
  while (line.frames.due_ns() <= now_ns && batch->cnt() < delivery_batch) {
    const embedded::Delivery frame = line.frames.leave();
    lateness_->delivered(now_ns, frame.due_ns);
    line.out_bytes += frame.frame_bytes;
    batch->add(plugin::packet_of(frame.buffer));
  }
  const int delivered = batch->cnt();
  RunChooseModule(context, gate, batch);
  return delivered;
}

std::string ObservatoryDelay::GetDesc() const {
  return std::to_string(held_.load(std::memory_order_relaxed)) + " packets";
}

void ObservatoryDelay::abandon() {
  for (Line& line : lines_) {
    while (!line.frames.empty()) {
      const embedded::Delivery frame = line.frames.leave();
      line.left.add(frame.frame_bytes);
      bess::Packet::Free(plugin::packet_of(frame.buffer));
    }
  }
}

CommandResponse ObservatoryDelay::held(const plugin::Json&) {
  return plugin::answer(nlohmann::ordered_json::object({{"packets", held_.load(std::memory_order_relaxed)}}));
}

CommandResponse ObservatoryDelay::finish(const plugin::Json&) {
  abandon();
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
  for (const Line& line : lines_) {
    lines.push_back({{"in_packets", line.in.packets},
                     {"in_bytes", line.in.bytes},
                     {"out_bytes", line.out_bytes},
                     {"left_packets", line.left.packets},
                     {"left_bytes", line.left.bytes}});
  }
  return plugin::answer(
      {{"lateness_ns", embedded::lateness_json(*lateness_, embedded::epoch_offset_ns())}, {"lines", lines}});
}

ADD_MODULE(ObservatoryDelay, "observatory_delay", "delay lines: each packet leaves a fixed time after it entered")
