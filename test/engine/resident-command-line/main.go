// A resident Pulumi command line: one process runs many commands, one after the other, with the command packages of the
// engine's own modules. A `pulumi` process spends 0.3 s on its initialization and on the key of the stack's passphrase before it
// does anything; here that happens once.
//
// Each line of stdin is a request, each line of stdout its response, in JSON. The process ends when stdin closes.

//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"github.com/pulumi/pulumi-yaml/pkg/server"
	"github.com/pulumi/pulumi/pkg/v3/backend/httpstate"
	"github.com/pulumi/pulumi/pkg/v3/cmd/pulumi/cmd"
	"github.com/pulumi/pulumi/pkg/v3/cmd/pulumi/config"
	"github.com/pulumi/pulumi/pkg/v3/cmd/pulumi/operations"
	"github.com/pulumi/pulumi/pkg/v3/cmd/pulumi/stack"
	"github.com/pulumi/pulumi/pkg/v3/cmd/pulumi/state"
	pkgWorkspace "github.com/pulumi/pulumi/pkg/v3/workspace"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/cmdutil"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/logging"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	"github.com/pulumi/pulumi/sdk/v3/go/common/version"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
	"google.golang.org/grpc"
)

// request is one command line: its arguments without `pulumi`, and what a process of its own would have been started with.
type request struct {
	Arguments        []string          `json:"arguments"`
	Environment      map[string]string `json:"environment"`
	WorkingDirectory string            `json:"workingDirectory"`
}

// response is what a process of its own would have left behind.
type response struct {
	ExitCode int    `json:"exitCode"`
	Stdout   string `json:"stdout"`
	Stderr   string `json:"stderr"`
	// Output holds both streams in the order of their arrival.
	Output string `json:"output"`
}

// commands are those that can run here. Each run gets new ones, because flags keep their values between two executions.
var commands = map[string]func() *cobra.Command{
	"up":      operations.NewUpCmd,
	"preview": operations.NewPreviewCmd,
	"refresh": operations.NewRefreshCmd,
	"destroy": operations.NewDestroyCmd,
	"import":  operations.NewImportCmd,
	"stack":   stack.NewStackCmd,
	"config":  func() *cobra.Command { return config.NewConfigCmd(pkgWorkspace.Instance) },
	"state":   state.NewStateCmd,
}

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve answers requests until stdin closes.
func serve() error {
	log.SetOutput(io.Discard) // Storage drivers use this logger; `pulumi` sends its lines to its own log files.
	responses, err := ownStdout()
	if err != nil {
		return err
	}
	requests := bufio.NewReader(os.Stdin)
	for {
		line, err := requests.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var request request
		if err := json.Unmarshal(line, &request); err != nil {
			return err
		}
		response, err := execute(request)
		if err != nil {
			return err
		}
		if err := json.NewEncoder(responses).Encode(response); err != nil {
			return err
		}
	}
}

// ownStdout moves the stream of the responses away from descriptor 1, which belongs to the commands.
func ownStdout() (*os.File, error) {
	descriptor, err := unix.Dup(unix.Stdout)
	if err != nil {
		return nil, err
	}
	unix.CloseOnExec(descriptor)
	return os.NewFile(uintptr(descriptor), "responses"), nil
}

func execute(request request) (response, error) {
	if err := enter(request); err != nil {
		return response{}, err
	}
	language, err := serveYAML()
	if err != nil {
		return response{}, err
	}
	defer language.stop()
	attached := fmt.Sprintf("yaml:%d", language.port)
	if others := os.Getenv("PULUMI_DEBUG_LANGUAGES"); others != "" {
		attached += "," + others
	}
	if err := os.Setenv("PULUMI_DEBUG_LANGUAGES", attached); err != nil {
		return response{}, err
	}
	captured, err := capture()
	if err != nil {
		return response{}, err
	}
	exitCode := run(request.Arguments)
	return captured.end(exitCode)
}

// enter gives the process the environment and the working directory of a command, and nothing of those before it.
func enter(request request) error {
	os.Clearenv()
	for name, value := range request.Environment {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return os.Chdir(request.WorkingDirectory)
}

// run does what Pulumi's own `main` does with a command line.
func run(arguments []string) (exitCode int) {
	defer func() {
		if reason := recover(); reason != nil {
			fmt.Fprintf(os.Stderr, "panic: %v\n\n%s", reason, debug.Stack())
			exitCode = 1
		}
	}()
	root := newRoot(arguments[0])
	root.SetArgs(arguments)
	if err := root.Execute(); err != nil {
		cmd.DisplayErrorMessage(root.Context(), err, root.ErrOrStderr())
		return cmd.ExitCodeFor(err)
	}
	return 0
}

// newRoot makes a root command with the one requested command, and with the global flags that the tests use.
func newRoot(name string) *cobra.Command {
	var color string
	root := &cobra.Command{
		Use:           "pulumi",
		Version:       version.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(command *cobra.Command, _ []string) error {
			if err := cmdutil.SetGlobalColorization(color); err != nil {
				return err
			}
			logging.InitLogging(false, 0, false)
			ctx := cmdutil.ContextWithProcessStartTime(command.Context(), time.Now())
			ctx = httpstate.ContextWithAgentCredentialUse(ctx)
			command.SetContext(httpstate.ContextWithCommandName(ctx, command.CommandPath()))
			return nil
		},
	}
	flags := root.PersistentFlags()
	flags.StringVar(&color, "color", "auto", "")
	flags.BoolVar(&cmdutil.DisableInteractive, "non-interactive", false, "")
	if command, ok := commands[name]; ok {
		root.AddCommand(command())
	}
	root.SetContext(context.Background())
	return root
}

// yamlLanguage is Pulumi's language host for YAML, to which the engine attaches for the length of one command.
type yamlLanguage struct {
	port int
	stop func()
}

func serveYAML() (yamlLanguage, error) {
	cancel := make(chan bool)
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{
		Cancel: cancel,
		Init: func(server *grpc.Server) error {
			pulumirpc.RegisterLanguageRuntimeServer(server, &attachedHost{})
			return nil
		},
		Options: rpcutil.TracingServerInterceptorOptions(nil),
	})
	if err != nil {
		return yamlLanguage{}, err
	}
	stop := func() {
		close(cancel)
		<-handle.Done
	}
	return yamlLanguage{port: handle.Port, stop: stop}, nil
}

// attachedHost is a language host that learns the engine's address from the handshake. An engine that attaches to a running host
// requires one; Pulumi's YAML host has none, as it gets the address as an argument.
type attachedHost struct {
	pulumirpc.LanguageRuntimeServer
}

func (host *attachedHost) Handshake(
	_ context.Context, request *pulumirpc.LanguageHandshakeRequest,
) (*pulumirpc.LanguageHandshakeResponse, error) {
	host.LanguageRuntimeServer = server.NewLanguageHost(request.EngineAddress, "")
	return &pulumirpc.LanguageHandshakeResponse{}, nil
}

// captured is everything that any process wrote to the descriptors 1 and 2 since `capture`.
type captured struct {
	mutex   sync.Mutex
	streams [2]bytes.Buffer
	both    bytes.Buffer
	readers sync.WaitGroup
}

func capture() (*captured, error) {
	captured := &captured{}
	for index, descriptor := range []int{unix.Stdout, unix.Stderr} {
		reader, writer, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		if err := unix.Dup2(int(writer.Fd()), descriptor); err != nil {
			return nil, err
		}
		if err := writer.Close(); err != nil {
			return nil, err
		}
		captured.readers.Go(func() { captured.read(reader, &captured.streams[index]) })
	}
	return captured, nil
}

func (captured *captured) read(reader *os.File, stream io.Writer) {
	defer reader.Close()
	chunk := make([]byte, 32*1024)
	for {
		count, err := reader.Read(chunk)
		captured.mutex.Lock()
		_, _ = io.MultiWriter(stream, &captured.both).Write(chunk[:count])
		captured.mutex.Unlock()
		if err != nil {
			return
		}
	}
}

// end closes both descriptors, so that everything written so far arrives, and returns it.
func (captured *captured) end(exitCode int) (response, error) {
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return response{}, err
	}
	defer nowhere.Close()
	for _, descriptor := range []int{unix.Stdout, unix.Stderr} {
		if err := unix.Dup2(int(nowhere.Fd()), descriptor); err != nil {
			return response{}, err
		}
	}
	captured.readers.Wait()
	return response{
		ExitCode: exitCode,
		Stdout:   captured.streams[0].String(),
		Stderr:   captured.streams[1].String(),
		Output:   captured.both.String(),
	}, nil
}
