// One end of a call. The far end shows itself; the near end watches, and counts every second what arrived.
"use strict";
const asked = new URLSearchParams(location.search);
const far = asked.get("end") === "far";
const connection = new RTCPeerConnection({ iceServers: [] });
const early = [];

const send = (message) =>
  fetch(`messages/${far ? "near" : "far"}`, { method: "POST", body: JSON.stringify(message) });

async function receive() {
  for (;;) {
    const response = await fetch(`messages/${far ? "far" : "near"}`);
    if (!response.ok) throw new Error(`messages: HTTP status ${response.status}`);
    for (const message of await response.json()) await take(message);
  }
}

async function take({ ready, description, candidate }) {
  if (ready) await offer();
  if (description) {
    await connection.setRemoteDescription(description);
    for (const waiting of early.splice(0)) await connection.addIceCandidate(waiting);
    if (description.type === "offer") {
      await connection.setLocalDescription();
      await send({ description: connection.localDescription });
    }
  }
  if (candidate) await (connection.remoteDescription ? connection.addIceCandidate(candidate) : early.push(candidate));
}

// The far end's camera and microphone, its picture encoded in at most `kbps`.
async function offer() {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: { width: 640, height: 360, frameRate: 30 } });
  for (const track of stream.getTracks()) {
    const encoding = track.kind === "video" ? { maxBitrate: Number(asked.get("kbps")) * 1000 } : {};
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

connection.onicecandidate = ({ candidate }) => candidate && send({ candidate }).catch(broken);
connection.ontrack = ({ streams }) => { document.getElementById("video").srcObject = streams[0]; };
connection.onconnectionstatechange = () => {
  if (connection.connectionState === "failed") broken("the connection of the call failed");
};
receive().catch(broken);
if (!far) {
  send({ ready: true }).catch(broken);
  setInterval(() => count().catch(broken), 1000);
}
