package main

import (
	_ "embed"
	"fmt"
	"strings"
)

const pythonProject = "pyproject.toml"

//go:embed command.py
var pythonCommand []byte

// correctPython corrects what Pulumi's generator writes for setuptools, and adds the command.
func correctPython(files map[string][]byte, err error) (map[string][]byte, error) {
	if err != nil {
		return nil, err
	}
	moveReadme(files)
	files["pulumi_opsmanager/command.py"] = pythonCommand
	return files, changeProject(files)
}

// moveReadme puts README.md where pyproject.toml expects it. The generator writes it into the package's own folder: setuptools
// then only warns, and the package has no description.
func moveReadme(files map[string][]byte) {
	for name, content := range files {
		if strings.HasSuffix(name, "/README.md") {
			delete(files, name)
			files["README.md"] = content
		}
	}
}

// changeProject writes `license = "..."`, known to setuptools since 77.0. A table with the text in it, which the
// generator writes, is no longer built after 2027-02-18, according to setuptools 84. It also declares the command.
func changeProject(files map[string][]byte) error {
	project := string(files[pythonProject])
	for _, change := range [][2]string{
		{"  [project.license]\n    text = \"Apache-2.0\"\n", ""},
		{"[project]\n", "[project]\n  license = \"Apache-2.0\"\n"},
		{"  [project.urls]\n", "  [project.scripts]\n    opsmanager = \"pulumi_opsmanager.command:main\"\n  [project.urls]\n"},
		{"\"setuptools>=61.0\"", "\"setuptools>=77.0\""},
	} {
		if !strings.Contains(project, change[0]) {
			return fmt.Errorf("%s has no %q: Pulumi's generator writes something else than before", pythonProject, change[0])
		}
		project = strings.Replace(project, change[0], change[1], 1)
	}
	files[pythonProject] = []byte(project)
	return nil
}
