// Command pulumi-resource-pulumi-nodejs has the name under which Pulumi starts the host of dynamic providers. With
// OPSMANAGER_TEST_PROVIDERS=PORT in its environment it requests that host from a process that is already running
// (test/support/resident/providers.cjs) and relays its output. Without that variable it starts Node.js as Pulumi's own
// launcher does.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
)

const portVariable = "OPSMANAGER_TEST_PROVIDERS"

// The kinds of frames: one byte, followed by the length of the payload as four bytes, and the payload.
const (
	stdoutFrame = 1
	stderrFrame = 2
	exitFrame   = 3
)

// request describes the process that the launcher stands for.
type request struct {
	Args        []string          `json:"args"`
	Cwd         string            `json:"cwd"`
	Environment map[string]string `json:"environment"`
}

func main() {
	port := os.Getenv(portVariable)
	var code int
	var err error
	if port == "" {
		code, err = startNode(os.Args[1:])
	} else {
		code, err = relay(port, os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "Starting the dynamic provider failed:", err)
		os.Exit(1)
	}
	os.Exit(code)
}

func relay(port string, args []string) (int, error) {
	connection, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		return 0, err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	// The encoder ends the line.
	if err := json.NewEncoder(connection).Encode(request{args, cwd, environment()}); err != nil {
		return 0, err
	}
	return copyFrames(bufio.NewReader(connection))
}

func environment() map[string]string {
	variables := map[string]string{}
	for _, variable := range os.Environ() {
		// On Windows some names begin with "=". They cannot be set in Node.js.
		name, value, _ := strings.Cut(variable, "=")
		if name != "" && name != portVariable {
			variables[name] = value
		}
	}
	return variables
}

// copyFrames returns the exit code of the provider.
func copyFrames(frames io.Reader) (int, error) {
	for {
		var header struct {
			Kind   uint8
			Length uint32
		}
		if err := binary.Read(frames, binary.BigEndian, &header); err != nil {
			return 0, fmt.Errorf("the process that runs it closed the connection: %w", err)
		}
		payload := io.LimitReader(frames, int64(header.Length))
		var err error
		switch header.Kind {
		case stdoutFrame:
			_, err = io.Copy(os.Stdout, payload)
		case stderrFrame:
			_, err = io.Copy(os.Stderr, payload)
		case exitFrame:
			var code int32
			err = binary.Read(payload, binary.BigEndian, &code)
			return int(code), err
		default:
			err = fmt.Errorf("a frame has the unknown kind %d", header.Kind)
		}
		if err != nil {
			return 0, err
		}
	}
}

// startNode runs the SDK of the program in whose folder the engine starts the launcher.
func startNode(args []string) (int, error) {
	find := exec.Command("node", "-p", "require.resolve('@pulumi/pulumi/cmd/dynamic-provider')")
	find.Stderr = os.Stderr
	script, err := find.Output()
	if err != nil {
		return 0, err
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return 0, err
	}
	args = append([]string{strings.TrimRight(string(script), "\r\n")}, args...)
	if runtime.GOOS != "windows" {
		return 0, syscall.Exec(node, append([]string{node}, args...), os.Environ())
	}
	command := exec.Command(node, args...)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	err = command.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}
