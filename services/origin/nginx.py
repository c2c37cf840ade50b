"""The configuration of nginx for one self-hosted service."""

from pathlib import Path

from scripts.model.services import Origin

PACKET_BYTES = 1500
PAYLOAD_BYTES = 1448
"""The payload of a full packet: without IP header, TCP header and the timestamp option."""

MIME_TYPES = Path(__file__).parent / "mime.types"

TEMPLATE = """\
daemon off;
master_process off;
user root;
pid {work}/nginx.pid;
error_log stderr warn;
events {{ worker_connections 512; }}
http {{
    access_log off;
    types {{ {types} }}
    default_type application/octet-stream;
    {temporary}
    sendfile on;
    tcp_nodelay on;
    gzip on;
    gzip_types text/css application/javascript application/dash+xml;
    server {{
        listen 0.0.0.0:443 ssl{http2} backlog=128;
        ssl_certificate {work}/certificate.pem;
        ssl_certificate_key {work}/key.pem;
        ssl_session_tickets off;
        root "{content}";
        {limit}
        add_header Timing-Allow-Origin *;
    }}
}}
"""


def nginx_configuration(origin: Origin, work: Path, content: Path) -> str:
    """Serves `content` for every name, in a single process, which the kernel ends with its parent.

    `cap_mbps`, the service's own limit (Prudentia, Table 1), counts whole IP packets, as throughput does.
    nginx's `limit_rate` counts payload.
    """
    limit = ""
    if origin.cap_mbps is not None:
        limit = f"limit_rate {round(origin.cap_mbps * 1e6 / 8 * PAYLOAD_BYTES / PACKET_BYTES)};"
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    return TEMPLATE.format(
        work=work,
        content=content,
        types=" ".join(f"{line};" for line in MIME_TYPES.read_text().splitlines()),
        temporary=" ".join(f"{kind}_temp_path {work}/{kind};" for kind in kinds),
        http2=" http2" if origin.protocol == "h2" else "",
        limit=limit,
    )
