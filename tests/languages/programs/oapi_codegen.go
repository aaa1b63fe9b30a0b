package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"example/workspace"
)

const version = workspace.ReleaseDateN20260311
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
	ctx := context.Background()
	withToken := workspace.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
		return nil
	})
	client, err := workspace.NewClientWithResponses(os.Getenv("SERVICE"), withToken)
	must(err)

	users, err := client.ListUsersWithResponse(ctx, &workspace.ListUsersParams{ServiceVersion: version})
	must(err)
	done("list users", len(users.JSON200.Results) > 2 && users.JSON200.Results[0].Type != "")

	created, err := client.CreatePageWithResponse(ctx, &workspace.CreatePageParams{ServiceVersion: version}, read[workspace.CreatePageRequest]("page.json"))
	must(err)
	page := created.JSON200
	done("create a page", page.Object == "page")

	params := &workspace.ListBlockChildrenParams{ServiceVersion: version}
	blocks, err := client.ListBlockChildrenWithResponse(ctx, page.Id.String(), params)
	must(err)
	heading, toggle := blocks.JSON200.Results[0], blocks.JSON200.Results[1]
	nested, err := client.ListBlockChildrenWithResponse(ctx, toggle.Id.String(), params)
	must(err)
	done("read it back", heading.Heading2.RichText[0].PlainText == "Saturday" && !nested.JSON200.Results[0].ToDo.Checked)

	query := &workspace.QueryDataSourceParams{ServiceVersion: version}
	rows, err := client.QueryDataSourceWithResponse(ctx, dataSource, query, read[workspace.DataSourceQueryRequest]("by_title.json"))
	must(err)
	done("query with a filter", len(rows.JSON200.Results) == 1 && rows.JSON200.Results[0].Object == "page")

	refused, err := client.QueryDataSourceWithResponse(ctx, dataSource, query, read[workspace.DataSourceQueryRequest]("by_nothing.json"))
	must(err)
	done("decode an error", refused.JSON400.Status == 400 && refused.JSON400.Code == "validation_error")
}
