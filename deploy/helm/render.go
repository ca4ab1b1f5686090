// Renders the chart as helm does, where helm is not to be had: text/template with sprig.
// Input: {"Values", "Release", "Chart"} as JSON; output: an object of file names and texts.
//	GO111MODULE=off GOPATH=/usr/share/gocode go run render.go <templates folder>
package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
)

func main() {
	rendered, err := render(os.Args[1])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(rendered)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func render(folder string) (map[string]string, error) {
	var input map[string]any
	if err := json.NewDecoder(os.Stdin).Decode(&input); err != nil {
		return nil, err
	}
	chart := template.New("chart").Option("missingkey=error")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data any) (string, error) {
		var text strings.Builder
		err := chart.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	chart.Funcs(functions)
	var names []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if filepath.Ext(name) == ".yaml" {
			names = append(names, name)
		}
		_, err = chart.New(name).Parse(string(text))
		return err
	})
	if err != nil {
		return nil, err
	}
	rendered := map[string]string{}
	for _, name := range names {
		var text strings.Builder
		if err := chart.ExecuteTemplate(&text, name, input); err != nil {
			return nil, err
		}
		rendered[name] = text.String()
	}
	return rendered, nil
}
