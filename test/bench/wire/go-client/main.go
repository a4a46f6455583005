// Digest clients in Go under the same load as the clients in Node.js. The argument names the module: mongodb-forks, which
// MongoDB's own tools use, or icholy. protocol.ts defines the protocol.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"sort"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	icholy "github.com/icholy/digest"
	forks "github.com/mongodb-forks/digest"
)

type opening struct {
	Address    string `json:"address"`
	PublicKey  string `json:"publicKey"`
	PrivateKey string `json:"privateKey"`
	ProjectID  string `json:"projectId"`
	AtOnce     int    `json:"atOnce"`
}

type command struct {
	Open *opening `json:"open"`
	Run  *struct {
		Calls int `json:"calls"`
	} `json:"run"`
}

type outcome struct {
	Seconds         float64 `json:"seconds"`
	CPUSeconds      float64 `json:"cpuSeconds"`
	P50Milliseconds float64 `json:"p50Milliseconds"`
	P99Milliseconds float64 `json:"p99Milliseconds"`
	Failed          int     `json:"failed"`
}

func main() {
	var endpoint opening
	var client *http.Client
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var received command
		if err := json.Unmarshal(lines.Bytes(), &received); err != nil {
			fail(err)
		}
		if received.Open != nil {
			endpoint = *received.Open
			client = connect(endpoint)
			fmt.Println("{}")
		}
		if received.Run != nil {
			response, err := json.Marshal(measure(client, endpoint, received.Run.Calls))
			if err != nil {
				fail(err)
			}
			fmt.Println(string(response))
		}
	}
}

// Without MaxIdleConnsPerHost, Go keeps two connections and opens the others again for each request.
func connect(endpoint opening) *http.Client {
	wire := http.DefaultTransport.(*http.Transport).Clone()
	wire.MaxIdleConns = endpoint.AtOnce
	wire.MaxIdleConnsPerHost = endpoint.AtOnce
	return &http.Client{Transport: signing(endpoint, wire), Timeout: 20 * time.Second}
}

func signing(endpoint opening, wire *http.Transport) http.RoundTripper {
	if os.Args[1] == "icholy" {
		return &icholy.Transport{Username: endpoint.PublicKey, Password: endpoint.PrivateKey, Transport: wire}
	}
	return forks.NewTransportWithHTTPTransport(endpoint.PublicKey, endpoint.PrivateKey, wire)
}

func measure(client *http.Client, endpoint opening, calls int) outcome {
	took := make([]float64, calls)
	var begun, failed atomic.Int64
	var workers sync.WaitGroup
	cpu, start := cpuSeconds(), time.Now()
	for range endpoint.AtOnce {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for call := begun.Add(1); call <= int64(calls); call = begun.Add(1) {
				from := time.Now()
				if !isRead(client, endpoint) {
					failed.Add(1)
				}
				took[call-1] = float64(time.Since(from).Microseconds()) / 1000
			}
		}()
	}
	workers.Wait()
	seconds := time.Since(start).Seconds()
	used := cpuSeconds() - cpu
	sort.Float64s(took)
	quantile := func(share float64) float64 { return took[int(math.Ceil(share*float64(calls)))-1] }
	return outcome{seconds, used, quantile(0.5), quantile(0.99), int(failed.Load())}
}

func isRead(client *http.Client, endpoint opening) bool {
	response, err := client.Get(endpoint.Address)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	var project struct {
		ID string `json:"id"`
	}
	return json.NewDecoder(response.Body).Decode(&project) == nil && project.ID == endpoint.ProjectID
}

func cpuSeconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fail(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
