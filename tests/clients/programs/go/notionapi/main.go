package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/jomei/notionapi"
)

var ctx = context.Background()
var client = notionapi.NewClient(notionapi.Token(os.Getenv("TOKEN")), notionapi.WithHTTPClient(httpClient()))

func text(content string) []notionapi.RichText {
	return []notionapi.RichText{{Type: "text", Text: &notionapi.Text{Content: content}}}
}

func main() {
	part(users)
	part(pagesAndBlocks)
	part(databases)
	part(mistakes)
}

func users() {
	list := call("User.List", func() (*notionapi.UsersListResponse, error) {
		return client.User.List(ctx, &notionapi.Pagination{PageSize: 2})
	}, func(list *notionapi.UsersListResponse) string { return equal(len(list.Results), 2) })
	call("User.List, next page", func() (*notionapi.UsersListResponse, error) {
		return client.User.List(ctx, &notionapi.Pagination{StartCursor: list.NextCursor, PageSize: 2})
	}, func(next *notionapi.UsersListResponse) string {
		return equal(next.Results[0].ID != list.Results[0].ID, true)
	})
	call("User.Get", func() (*notionapi.User, error) { return client.User.Get(ctx, notionapi.UserID(list.Results[0].ID)) },
		func(user *notionapi.User) string { return equal(user.ID, list.Results[0].ID) })
	call("User.Me", func() (*notionapi.User, error) { return client.User.Me(ctx) },
		func(user *notionapi.User) string { return equal(user.Type, notionapi.UserTypeBot) })
	part(func() { search("Search.Do", "Spare parts") })
	part(func() { search("Search.Do, a table with a place", "Boats") })
}

func search(name string, query string) {
	call(name, func() (*notionapi.SearchResponse, error) {
		return client.Search.Do(ctx, &notionapi.SearchRequest{
			Query:  query,
			Filter: notionapi.SearchFilter{Property: "object", Value: "database"},
			Sort:   &notionapi.SortObject{Timestamp: notionapi.TimestampLastEdited, Direction: notionapi.SortOrderDESC},
		})
	}, func(found *notionapi.SearchResponse) string {
		return equal(len(found.Results) > 0 && found.Results[0].GetObject() == notionapi.ObjectTypeDatabase, true)
	})
}

func emoji(character string) *notionapi.Icon {
	value := notionapi.Emoji(character)
	return &notionapi.Icon{Type: "emoji", Emoji: &value}
}

func newPage(title string, children ...notionapi.Block) *notionapi.Page {
	return call("Page.Create", func() (*notionapi.Page, error) {
		return client.Page.Create(ctx, &notionapi.PageCreateRequest{
			Parent:     notionapi.Parent{Type: notionapi.ParentTypePageID, PageID: notionapi.PageID(os.Getenv("PAGE_ID"))},
			Properties: notionapi.Properties{"title": notionapi.TitleProperty{Title: text(title)}},
			Children:   children,
			Icon:       emoji("🌊"),
		})
	}, func(page *notionapi.Page) string { return equal(string(*page.Icon.Emoji), "🌊") })
}

func basic(kind notionapi.BlockType) notionapi.BasicBlock {
	return notionapi.BasicBlock{Object: notionapi.ObjectTypeBlock, Type: kind}
}

func paragraph(content string) notionapi.Block {
	return notionapi.ParagraphBlock{BasicBlock: basic(notionapi.BlockTypeParagraph), Paragraph: notionapi.Paragraph{RichText: text(content)}}
}

func children(id notionapi.BlockID, size int) *notionapi.GetChildrenResponse {
	return call("Block.GetChildren", func() (*notionapi.GetChildrenResponse, error) {
		return client.Block.GetChildren(ctx, id, &notionapi.Pagination{PageSize: size})
	}, func(list *notionapi.GetChildrenResponse) string { return equal(len(list.Results) > 0, true) })
}

func pagesAndBlocks() {
	heading := notionapi.Heading1Block{BasicBlock: basic(notionapi.BlockTypeHeading1), Heading1: notionapi.Heading{RichText: text("Tide table")}}
	page := newPage("Made by Go", heading, paragraph("High water"))
	id := notionapi.BlockID(page.ID)
	call("Page.Get", func() (*notionapi.Page, error) { return client.Page.Get(ctx, notionapi.PageID(page.ID)) },
		func(read *notionapi.Page) string {
			return equal(read.Properties["title"].(*notionapi.TitleProperty).Title[0].PlainText, "Made by Go")
		})
	call("Page.Update", func() (*notionapi.Page, error) {
		return client.Page.Update(ctx, notionapi.PageID(page.ID), &notionapi.PageUpdateRequest{
			Properties: notionapi.Properties{"title": notionapi.TitleProperty{Title: text("Changed by Go")}},
			Icon:       emoji("⚓"),
		})
	}, func(read *notionapi.Page) string { return equal(string(*read.Icon.Emoji), "⚓") })
	appended := call("Block.AppendChildren", func() (*notionapi.AppendBlockChildrenResponse, error) {
		toDo := notionapi.ToDoBlock{BasicBlock: basic(notionapi.BlockTypeToDo), ToDo: notionapi.ToDo{RichText: text("Check the sill")}}
		return client.Block.AppendChildren(ctx, id, &notionapi.AppendBlockChildrenRequest{Children: []notionapi.Block{toDo, paragraph("Low water")}})
	}, func(list *notionapi.AppendBlockChildrenResponse) string { return equal(len(list.Results), 2) })
	last := appended.Results[1].GetID()
	first := children(id, 3)
	call("Block.GetChildren, next page", func() (*notionapi.GetChildrenResponse, error) {
		return client.Block.GetChildren(ctx, id, &notionapi.Pagination{StartCursor: notionapi.Cursor(first.NextCursor)})
	}, func(list *notionapi.GetChildrenResponse) string { return equal(list.Results[0].GetID(), last) })
	call("Block.Update", func() (notionapi.Block, error) {
		return client.Block.Update(ctx, last, &notionapi.BlockUpdateRequest{Paragraph: &notionapi.Paragraph{RichText: text("Slack water")}})
	}, func(block notionapi.Block) string { return equal(block.GetRichTextString(), "Slack water") })
	call("Block.Get", func() (notionapi.Block, error) { return client.Block.Get(ctx, last) },
		func(block notionapi.Block) string { return equal(block.GetType(), notionapi.BlockTypeParagraph) })
	call("Block.Delete", func() (notionapi.Block, error) { return client.Block.Delete(ctx, last) },
		func(block notionapi.Block) string { return equal(block.GetArchived(), true) })
	comments(page)
	call("Page.Update, archived", func() (*notionapi.Page, error) {
		return client.Page.Update(ctx, notionapi.PageID(page.ID), &notionapi.PageUpdateRequest{Archived: true})
	}, func(read *notionapi.Page) string { return equal(read.Archived, true) })
}

func comments(page *notionapi.Page) {
	made := call("Comment.Create", func() (*notionapi.Comment, error) {
		parent := notionapi.Parent{Type: notionapi.ParentTypePageID, PageID: notionapi.PageID(page.ID)}
		return client.Comment.Create(ctx, &notionapi.CommentCreateRequest{Parent: parent, RichText: text("Which berth?")})
	}, func(comment *notionapi.Comment) string { return equal(comment.RichText[0].PlainText, "Which berth?") })
	call("Comment.Create, in a discussion", func() (*notionapi.Comment, error) {
		return client.Comment.Create(ctx, &notionapi.CommentCreateRequest{DiscussionID: made.DiscussionID, RichText: text("Berth 4")})
	}, func(comment *notionapi.Comment) string { return equal(comment.DiscussionID, made.DiscussionID) })
	call("Comment.Get", func() (*notionapi.CommentQueryResponse, error) {
		return client.Comment.Get(ctx, notionapi.BlockID(page.ID), nil)
	}, func(list *notionapi.CommentQueryResponse) string { return equal(len(list.Results), 2) })
}

func databases() {
	page := newPage("Tables of Go")
	database := call("Database.Create", func() (*notionapi.Database, error) {
		return client.Database.Create(ctx, &notionapi.DatabaseCreateRequest{
			Parent: notionapi.Parent{Type: notionapi.ParentTypePageID, PageID: notionapi.PageID(page.ID)},
			Title:  text("Boats of Go"),
			Properties: notionapi.PropertyConfigs{
				"Name":   notionapi.TitlePropertyConfig{Type: notionapi.PropertyConfigTypeTitle},
				"Length": notionapi.NumberPropertyConfig{Type: notionapi.PropertyConfigTypeNumber, Number: notionapi.NumberFormat{Format: notionapi.FormatNumber}},
				"Hull": notionapi.SelectPropertyConfig{Type: notionapi.PropertyConfigTypeSelect, Select: notionapi.Select{
					Options: []notionapi.Option{{Name: "Wood", Color: notionapi.ColorBrown}, {Name: "Steel", Color: notionapi.ColorGray}}}},
				"Launched": notionapi.DatePropertyConfig{Type: notionapi.PropertyConfigTypeDate},
				"Afloat":   notionapi.CheckboxPropertyConfig{Type: notionapi.PropertyConfigTypeCheckbox},
			},
		})
	}, func(database *notionapi.Database) string { return equal(len(database.Properties), 5) })
	id := notionapi.DatabaseID(database.ID)
	for _, boat := range []struct {
		name   string
		length float64
	}{{"Heron", 9}, {"Petrel", 12}, {"Tern", 7}} {
		call("Page.Create, row", func() (*notionapi.Page, error) { return newRow(id, boat.name, boat.length) }, nil)
	}
	query(id)
	call("Database.Update", func() (*notionapi.Database, error) {
		return client.Database.Update(ctx, id, &notionapi.DatabaseUpdateRequest{
			Title:      text("Fleet"),
			Properties: notionapi.PropertyConfigs{"Email": notionapi.EmailPropertyConfig{Type: notionapi.PropertyConfigTypeEmail}},
		})
	}, func(database *notionapi.Database) string { return equal(database.Title[0].PlainText, "Fleet") })
	call("Database.Get", func() (*notionapi.Database, error) { return client.Database.Get(ctx, id) },
		func(database *notionapi.Database) string {
			return equal(database.Properties["Email"].GetType(), notionapi.PropertyConfigTypeEmail)
		})
}

func newRow(id notionapi.DatabaseID, name string, length float64) (*notionapi.Page, error) {
	launched := notionapi.Date(time.Date(1998, 5, 2, 0, 0, 0, 0, time.UTC))
	return client.Page.Create(ctx, &notionapi.PageCreateRequest{
		Parent: notionapi.Parent{Type: notionapi.ParentTypeDatabaseID, DatabaseID: id},
		Properties: notionapi.Properties{
			"Name":     notionapi.TitleProperty{Title: text(name)},
			"Length":   notionapi.NumberProperty{Number: length},
			"Hull":     notionapi.SelectProperty{Select: notionapi.Option{Name: "Wood"}},
			"Launched": notionapi.DateProperty{Date: &notionapi.DateObject{Start: &launched}},
			"Afloat":   notionapi.CheckboxProperty{Checkbox: length > 8},
		},
	})
}

func query(id notionapi.DatabaseID) {
	eight := 8.0
	ask := func(request notionapi.DatabaseQueryRequest) func() (*notionapi.DatabaseQueryResponse, error) {
		return func() (*notionapi.DatabaseQueryResponse, error) { return client.Database.Query(ctx, id, &request) }
	}
	number := notionapi.PropertyFilter{Property: "Length", Number: &notionapi.NumberFilterCondition{GreaterThan: &eight}}
	name := notionapi.PropertyFilter{Property: "Name", RichText: &notionapi.TextFilterCondition{StartsWith: "He"}}
	sorts := []notionapi.SortObject{{Property: "Length", Direction: notionapi.SortOrderDESC}}
	call("Database.Query, filter and sort", ask(notionapi.DatabaseQueryRequest{Filter: number, Sorts: sorts}),
		func(found *notionapi.DatabaseQueryResponse) string {
			row := found.Results[0].Properties
			return equal(row["Length"].(*notionapi.NumberProperty).Number, 12) + equal(len(found.Results), 2) +
				equal(row["Hull"].(*notionapi.SelectProperty).Select.Name, "Wood")
		})
	call("Database.Query, and", ask(notionapi.DatabaseQueryRequest{Filter: notionapi.AndCompoundFilter{number, name}}),
		func(found *notionapi.DatabaseQueryResponse) string { return equal(len(found.Results), 1) })
	first := call("Database.Query, page by page", ask(notionapi.DatabaseQueryRequest{PageSize: 2}),
		func(found *notionapi.DatabaseQueryResponse) string { return equal(found.HasMore, true) })
	call("Database.Query, next page", ask(notionapi.DatabaseQueryRequest{PageSize: 2, StartCursor: first.NextCursor}),
		func(found *notionapi.DatabaseQueryResponse) string { return equal(len(found.Results), 1) })
}

func mistakes() {
	isA := func(code string) func(error) bool {
		return func(err error) bool {
			var known *notionapi.Error
			return errors.As(err, &known) && string(known.Code) == code
		}
	}
	refused("Page.Get, unknown", func() error {
		_, err := client.Page.Get(ctx, "00000000-0000-4000-8000-000000000000")
		return err
	}, isA("object_not_found"))
	refused("Page.Get, no token", func() error {
		_, err := notionapi.NewClient("none", notionapi.WithHTTPClient(httpClient())).Page.Get(ctx, notionapi.PageID(os.Getenv("PAGE_ID")))
		return err
	}, isA("unauthorized"))
}
