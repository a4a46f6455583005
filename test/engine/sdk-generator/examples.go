package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	yamlgen "github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// order is the input of `sdk-generator examples`: Pulumi YAML programs by name.
type order struct {
	Schema   json.RawMessage   `json:"schema"`
	Programs map[string]string `json:"programs"`
}

// translation is one program in the other languages.
type translation struct {
	TypeScript string `json:"typescript"`
	Python     string `json:"python"`
	Go         string `json:"go"`
	// PCL is the program as Pulumi's converters pass it to a generator; sdk-generator-java-dotnet reads it.
	PCL string `json:"pcl"`
}

// translateAll does what `pulumi convert --from yaml` does, without language hosts.
func translateAll(stdin io.Reader, stdout io.Writer) error {
	var wanted order
	if err := json.NewDecoder(stdin).Decode(&wanted); err != nil {
		return fmt.Errorf("reading the programs: %w", err)
	}
	pkg, err := readPackage(bytes.NewReader(wanted.Schema))
	if err != nil {
		return err
	}
	translations := map[string]translation{}
	for name, text := range wanted.Programs {
		translations[name], err = translate(name, text, onlyPackage{pkg})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	encoder := json.NewEncoder(stdout)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(translations)
}

func translate(name, text string, loader schema.ReferenceLoader) (translation, error) {
	template, faults, err := pulumiyaml.LoadYAMLBytes(name, []byte(text))
	if err == nil && faults.HasErrors() {
		err = faults
	}
	if err != nil {
		return translation{}, err
	}
	// The generators change the program they are given, so each gets one of its own.
	program := func() (*pcl.Program, error) {
		ejected, faults, err := yamlgen.EjectProgram(template, loader)
		if err == nil && len(faults) > 0 {
			err = faults // a warning reports that something of the program is lost
		}
		return ejected, err
	}
	var result translation
	for _, language := range []struct {
		text     *string
		file     string
		generate func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)
	}{
		{&result.TypeScript, "index.ts", nodejs.GenerateProgram},
		{&result.Python, "__main__.py", python.GenerateProgram},
		{&result.Go, "main.go", gogen.GenerateProgram},
	} {
		source, err := program()
		if err != nil {
			return translation{}, err
		}
		files, faults, err := language.generate(source)
		if err == nil && len(faults) > 0 {
			err = faults
		}
		if err != nil {
			return translation{}, err
		}
		*language.text = string(files[language.file])
		result.PCL = source.Source()["program.pp"]
	}
	return result, nil
}

// onlyPackage is a loader that knows one package; the examples use no other.
type onlyPackage struct{ pkg *schema.Package }

func (only onlyPackage) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	if name != only.pkg.Name {
		return nil, fmt.Errorf("there is no schema of package %q", name)
	}
	return only.pkg, nil
}

func (only onlyPackage) LoadPackageV2(_ context.Context, wanted *schema.PackageDescriptor) (*schema.Package, error) {
	return only.LoadPackage(wanted.Name, wanted.Version)
}

func (only onlyPackage) LoadPackageReference(name string, version *semver.Version) (schema.PackageReference, error) {
	pkg, err := only.LoadPackage(name, version)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func (only onlyPackage) LoadPackageReferenceV2(
	_ context.Context, wanted *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	return only.LoadPackageReference(wanted.Name, wanted.Version)
}
