package main

import "path"

// withReadmeBesideProject puts README.md where pyproject.toml says it is. Pulumi's generator writes it into the package's
// own folder instead: setuptools then only warns, and the package has no description.
func withReadmeBesideProject(files map[string][]byte, err error) (map[string][]byte, error) {
	for name, content := range files {
		if path.Base(name) == "README.md" {
			delete(files, name)
			files["README.md"] = content
		}
	}
	return files, err
}
