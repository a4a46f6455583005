// Reads an address as often as requested, with the Digest client of MongoDB's own tools.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/mongodb-forks/digest"
)

func main() {
	address, times := os.Args[1], os.Args[2]
	count, err := strconv.Atoi(times)
	if err != nil {
		fail(err)
	}
	transport := digest.NewTransport(os.Getenv("PUBLIC_KEY"), os.Getenv("PRIVATE_KEY"))
	client, err := transport.Client()
	if err != nil {
		fail(err)
	}
	client.Timeout = 20 * time.Second
	for range count {
		read(client, address)
	}
}

func read(client *http.Client, address string) {
	response, err := client.Get(address)
	if err != nil {
		fail(err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		fail(err)
	}
	fmt.Println(response.StatusCode)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
