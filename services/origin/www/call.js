// One end of a call. The far end sends its camera. The near end shows it and counts the received bytes every second.
"use strict";
const query = new URLSearchParams(location.search);
const far = query.get("end") === "far";
const connection = new RTCPeerConnection({ iceServers: [] });
const earlyCandidates = [];

const send = (message) =>
  fetch(`messages/${far ? "near" : "far"}`, { method: "POST", body: JSON.stringify(message) });

async function receive() {
  for (;;) {
    const response = await fetch(`messages/${far ? "far" : "near"}`);
    if (!response.ok) throw new Failure("status", response.status);
    for (const message of await response.json()) await handle(message);
  }
}

async function handle({ ready, description, candidate }) {
  if (ready) await offer();
  if (description) {
    await connection.setRemoteDescription(description);
    for (const early of earlyCandidates.splice(0)) await connection.addIceCandidate(early);
    if (description.type === "offer") {
      await connection.setLocalDescription();
      await send({ description: connection.localDescription });
    }
  }
  if (candidate) await (connection.remoteDescription ? connection.addIceCandidate(candidate) : earlyCandidates.push(candidate));
}

// Offers the far end's camera and microphone, with a picture of at most `kbps`.
async function offer() {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: { width: 640, height: 360, frameRate: 30 } });
  for (const track of stream.getTracks()) {
    const encoding = track.kind === "video" ? { maxBitrate: Number(query.get("kbps")) * 1000 } : {};
    connection.addTransceiver(track, { direction: "sendonly", streams: [stream], sendEncodings: [encoding] });
  }
  await connection.setLocalDescription();
  await send({ description: connection.localDescription });
}

async function count() {
  let bytes = 0;
  for (const report of (await connection.getStats()).values()) {
    if (report.type === "inbound-rtp") bytes += report.bytesReceived;
  }
  if (bytes > meter.bytes) meter.add(bytes - meter.bytes);
}

connection.onicecandidate = ({ candidate }) => candidate && send({ candidate }).catch(fail);
connection.ontrack = ({ streams }) => { document.getElementById("video").srcObject = streams[0]; };
connection.onconnectionstatechange = () => {
  if (connection.connectionState === "failed" && !far) fail(new Failure("connection"));
};
receive().catch(fail);
if (!far) {
  send({ ready: true }).catch(fail);
  setInterval(() => count().catch(fail), 1000);
}
