// Command sdk-generator-java-dotnet does for Java and C# what sdk-generator does for the other languages:
//
//	sdk-generator-java-dotnet java|dotnet FOLDER < schema.json
//	sdk-generator-java-dotnet examples < {"schema": {...}, "programs": {NAME: PCL}} > {NAME: {"csharp", "java"}}
//
// It is a module of its own: Pulumi keeps these two generators in their own modules, and they do not compile with the
// version of Pulumi's packages that the other generators have.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	dotnet "github.com/pulumi/pulumi-dotnet/pulumi-language-dotnet/v3/codegen"
	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// tool is named in the header of each generated file.
const tool = "the Pulumi SDK generator"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sdk-generator-java-dotnet:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 1 && args[0] == "examples" {
		return translateAll(os.Stdin, os.Stdout)
	}
	if len(args) != 2 {
		return fmt.Errorf("usage: java|dotnet FOLDER < schema.json, or examples < order.json")
	}
	pkg, err := readPackage(os.Stdin)
	if err != nil {
		return err
	}
	files, err := generate(args[0], pkg)
	if err != nil {
		return err
	}
	return write(args[1], files)
}

func readPackage(source io.Reader) (*schema.Package, error) {
	var spec schema.PackageSpec
	if err := json.NewDecoder(source).Decode(&spec); err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	pkg, diagnostics, err := schema.BindSpec(spec, nil, schema.ValidationOptions{})
	if err == nil && diagnostics.HasErrors() {
		err = diagnostics
	}
	return pkg, err
}

func generate(language string, pkg *schema.Package) (map[string][]byte, error) {
	switch language {
	case "java":
		return java.GeneratePackage(tool, pkg, nil, nil, false, false)
	case "dotnet":
		return generateDotnet(pkg)
	default:
		return nil, fmt.Errorf("unknown language %q", language)
	}
}

func write(folder string, files map[string][]byte) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	for name, content := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func translateAll(stdin io.Reader, stdout io.Writer) error {
	var order struct {
		Schema   json.RawMessage   `json:"schema"`
		Programs map[string]string `json:"programs"`
	}
	if err := json.NewDecoder(stdin).Decode(&order); err != nil {
		return fmt.Errorf("reading the programs: %w", err)
	}
	pkg, err := readPackage(bytes.NewReader(order.Schema))
	if err != nil {
		return err
	}
	// The key is a package without a version. The examples use no other package.
	known := map[string]schema.PackageReference{pkg.Name + ":": pkg.Reference()}
	loader := schema.NewCachedLoaderWithEntries(nil, known)
	translations := map[string]map[string]string{}
	for name, text := range order.Programs {
		if translations[name], err = translate(text, loader); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	encoder := json.NewEncoder(stdout)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(translations)
}

func translate(text string, loader schema.ReferenceLoader) (map[string]string, error) {
	result := map[string]string{}
	for _, language := range []struct {
		name, ending string
		generate     func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)
		options      []pcl.BindOption
	}{
		{"csharp", ".cs", dotnet.GenerateProgram, nil},
		{"java", ".java", generateJavaProgram, []pcl.BindOption{pcl.PreferOutputVersionedInvokes}},
	} {
		// The generators change the program they are given, so each gets one of its own.
		program, err := bind(text, append(language.options, pcl.Loader(loader)))
		if err != nil {
			return nil, err
		}
		files, faults, err := language.generate(program)
		if err == nil && len(faults) > 0 {
			err = faults
		}
		if err != nil {
			return nil, err
		}
		for name, content := range files {
			if strings.HasSuffix(name, language.ending) {
				result[language.name] = string(content)
			}
		}
	}
	return result, nil
}

// bind has the options of pulumi-yaml, whose text this is, beside those that it is given.
func bind(text string, options []pcl.BindOption) (*pcl.Program, error) {
	parser := syntax.NewParser()
	if err := parser.ParseFile(strings.NewReader(text), "program.pp"); err != nil {
		return nil, err
	}
	if parser.Diagnostics.HasErrors() {
		return nil, parser.Diagnostics
	}
	options = append(options, pcl.SkipResourceTypechecking, pcl.AllowMissingProperties, pcl.AllowMissingVariables)
	program, faults, err := pcl.BindProgram(parser.Files, options...)
	if err == nil && len(faults) > 0 {
		err = faults
	}
	return program, err
}
