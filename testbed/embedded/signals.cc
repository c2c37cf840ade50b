// StopSignals, with a signalfd.
#include "signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <stdexcept>

#include "errors.h"

namespace embedded {

StopSignals::StopSignals() {
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGTERM);
  sigaddset(&stops, SIGINT);
  sigprocmask(SIG_BLOCK, &stops, nullptr);
  fd_ = signalfd(-1, &stops, SFD_NONBLOCK | SFD_CLOEXEC);
  if (fd_ < 0) {
    throw std::runtime_error(system_message("cannot wait for signals", errno));
  }
}

StopSignals::~StopSignals() { close(fd_); }

bool StopSignals::arrived() {
  signalfd_siginfo signal{};
  bool any = false;
  while (read(fd_, &signal, sizeof signal) == sizeof signal) {
    any = true;
  }
  return any;
}

}  // namespace embedded
