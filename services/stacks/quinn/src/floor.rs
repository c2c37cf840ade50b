//! Cubic whose window never falls below 500 packets: a build that starves others, to try the gate with.

use quinn::congestion::{Controller, ControllerFactory, CubicConfig};
use quinn_proto::RttEstimator;
use std::{any::Any, sync::Arc, time::Instant};

const FLOOR_PACKETS: u64 = 500;

#[derive(Default)]
pub struct FloorConfig(Arc<CubicConfig>);

impl ControllerFactory for FloorConfig {
    fn build(self: Arc<Self>, now: Instant, mtu: u16) -> Box<dyn Controller> {
        Box::new(Floor { cubic: self.0.clone().build(now, mtu), mtu })
    }
}

struct Floor {
    cubic: Box<dyn Controller>,
    mtu: u16,
}

impl Controller for Floor {
    fn on_sent(&mut self, now: Instant, bytes: u64, packet: u64) {
        self.cubic.on_sent(now, bytes, packet);
    }

    fn on_ack(&mut self, now: Instant, sent: Instant, bytes: u64, app_limited: bool, rtt: &RttEstimator) {
        self.cubic.on_ack(now, sent, bytes, app_limited, rtt);
    }

    fn on_end_acks(&mut self, now: Instant, in_flight: u64, app_limited: bool, packet: Option<u64>) {
        self.cubic.on_end_acks(now, in_flight, app_limited, packet);
    }

    fn on_congestion_event(&mut self, now: Instant, sent: Instant, persistent: bool, lost_bytes: u64) {
        self.cubic.on_congestion_event(now, sent, persistent, lost_bytes);
    }

    fn on_mtu_update(&mut self, mtu: u16) {
        self.mtu = mtu;
        self.cubic.on_mtu_update(mtu);
    }

    fn window(&self) -> u64 {
        self.cubic.window().max(FLOOR_PACKETS * u64::from(self.mtu))
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(Floor { cubic: self.cubic.clone_box(), mtu: self.mtu })
    }

    fn initial_window(&self) -> u64 {
        self.cubic.initial_window()
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
