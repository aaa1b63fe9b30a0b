package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"

	"example/workspace"
)

const version = workspace.RELEASEDATE__2026_03_11
const dataSource = "bce1cb34-00e2-47d7-9eda-7e46a386c4a7"

func read[T any](name string) (body T) {
	text, err := os.ReadFile(name)
	must(err)
	must(json.Unmarshal(text, &body))
	return body
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func done(call string, holds bool) {
	if !holds {
		log.Fatal(call)
	}
	fmt.Println("ok", call)
}

func main() {
	ctx := context.WithValue(context.Background(), workspace.ContextAccessToken, os.Getenv("TOKEN"))
	settings := workspace.NewConfiguration()
	settings.Servers = workspace.ServerConfigurations{{URL: os.Getenv("SERVICE")}}
	client := workspace.NewAPIClient(settings)

	users, _, err := client.UsersAPI.ListUsers(ctx).ServiceVersion(version).Execute()
	must(err)
	done("list users", len(users.Results) > 2 && users.Results[0].Type != "")

	body := read[workspace.CreatePageRequest]("page.json")
	page, _, err := client.PagesAPI.CreatePage(ctx).ServiceVersion(version).CreatePageRequest(body).Execute()
	must(err)
	done("create a page", page.Object == "page")

	blocks, _, err := client.BlocksAPI.ListBlockChildren(ctx, page.Id).ServiceVersion(version).Execute()
	must(err)
	heading, toggle := blocks.Results[0], blocks.Results[1]
	nested, _, err := client.BlocksAPI.ListBlockChildren(ctx, toggle.Id).ServiceVersion(version).Execute()
	must(err)
	done("read it back", heading.Heading2.RichText[0].PlainText == "Saturday" && !nested.Results[0].ToDo.Checked)

	query := client.DataSourcesAPI.QueryDataSource(ctx, dataSource).ServiceVersion(version)
	rows, _, err := query.DataSourceQueryRequest(read[workspace.DataSourceQueryRequest]("by_title.json")).Execute()
	must(err)
	done("query with a filter", len(rows.Results) == 1 && rows.Results[0].Object == "page")

	_, _, err = query.DataSourceQueryRequest(read[workspace.DataSourceQueryRequest]("by_nothing.json")).Execute()
	var failure *workspace.GenericOpenAPIError
	if !errors.As(err, &failure) {
		log.Fatal(err)
	}
	refused, _ := failure.Model().(workspace.ErrorObject)
	done("decode an error", refused.Status == 400 && refused.Code == "validation_error")
}
