// An endless download over one stream of quic-go.
//
//	endpoint serve ADDRESS PORT CERTIFICATE KEY CONTROLLER
//	endpoint fetch ADDRESS PORT CERTIFICATE HOST
//	endpoint versions
//
// The server sends zeros until the client leaves. The client counts and drops them, and connects again if the
// connection breaks. SIGTERM ends both at once. Exit status 127: unknown controller.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"os"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go"
)

const (
	module      = "github.com/quic-go/quic-go"
	alpn        = "endless"
	windowBytes = 64 << 20
	blockBytes  = 64 << 10
	retry       = time.Second
	unsupported = 127
)

// The library has no choice of a controller.
var controllers = map[string]string{"reno": "NewReno"}

func main() {
	log.SetFlags(0)
	switch arguments := os.Args[1:]; {
	case len(arguments) == 6 && arguments[0] == "serve":
		if _, known := controllers[arguments[5]]; !known {
			os.Exit(unsupported)
		}
		log.Fatal(serve(net.JoinHostPort(arguments[1], arguments[2]), arguments[3], arguments[4]))
	case len(arguments) == 5 && arguments[0] == "fetch":
		log.Fatal(fetch(net.JoinHostPort(arguments[1], arguments[2]), arguments[3], arguments[4]))
	case len(arguments) == 1 && arguments[0] == "versions":
		told := map[string]any{
			"stack": "quic-go", "version": builtVersion(), "controllers": controllers, "gso": true, "pacing": true,
		}
		if err := json.NewEncoder(os.Stdout).Encode(told); err != nil {
			log.Fatal(err)
		}
	default:
		log.Fatal("see the head of main.go for the arguments")
	}
}

// builtVersion returns the version of quic-go that this program was linked with.
func builtVersion() string {
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == module {
			return strings.TrimPrefix(dependency.Version, "v")
		}
	}
	return "unknown"
}

func serve(address, certificate, key string) error {
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return err
	}
	settings := &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{alpn}}
	listener, err := quic.ListenAddr(address, settings, nil)
	if err != nil {
		return err
	}
	for {
		connection, err := listener.Accept(context.Background())
		if err != nil {
			return err
		}
		go send(connection)
	}
}

// send writes zeros until the connection ends.
func send(connection *quic.Conn) {
	stream, err := connection.OpenUniStreamSync(context.Background())
	for block := make([]byte, blockBytes); err == nil; {
		_, err = stream.Write(block)
	}
	log.Print(err)
}

func fetch(address, certificate, host string) error {
	trusted, err := os.ReadFile(certificate)
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(trusted)
	settings := &tls.Config{RootCAs: roots, ServerName: host, NextProtos: []string{alpn}}
	windows := &quic.Config{
		InitialStreamReceiveWindow: windowBytes, MaxStreamReceiveWindow: windowBytes,
		InitialConnectionReceiveWindow: windowBytes, MaxConnectionReceiveWindow: windowBytes,
	}
	go tell()
	for {
		log.Print(download(address, settings, windows))
		time.Sleep(retry)
	}
}

// download reads and drops what the server sends, until the connection breaks.
func download(address string, settings *tls.Config, windows *quic.Config) error {
	connection, err := quic.DialAddr(context.Background(), address, settings, windows)
	if err != nil {
		return err
	}
	defer connection.CloseWithError(0, "")
	stream, err := connection.AcceptUniStream(context.Background())
	if err != nil {
		return err
	}
	for block := make([]byte, blockBytes); err == nil; {
		var count int
		count, err = stream.Read(block)
		received.Add(int64(count))
	}
	return fmt.Errorf("the download ended: %w", err)
}

// received is how many bytes of the stream the client has read.
var received atomic.Int64

// tell prints the Unix time and the bytes received every second.
func tell() {
	for ; ; time.Sleep(time.Second) {
		fmt.Printf("%.3f %d\n", float64(time.Now().UnixMilli())/1000, received.Load())
	}
}
