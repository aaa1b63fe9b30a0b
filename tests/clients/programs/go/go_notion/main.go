package main

import (
	"context"
	"errors"
	"os"

	"github.com/dstotijn/go-notion"
)

var ctx = context.Background()
var client = notion.NewClient(os.Getenv("TOKEN"), notion.WithHTTPClient(httpClient()))

func text(content string) []notion.RichText {
	return []notion.RichText{{Type: notion.RichTextTypeText, Text: &notion.Text{Content: content}}}
}

func pointer[T any](value T) *T { return &value }

func main() {
	part(users)
	part(pagesAndBlocks)
	part(databases)
	part(mistakes)
}

func users() {
	list := call("ListUsers", func() (notion.ListUsersResponse, error) {
		return client.ListUsers(ctx, &notion.PaginationQuery{PageSize: 2})
	}, func(list notion.ListUsersResponse) string { return equal(len(list.Results), 2) })
	call("ListUsers, next page", func() (notion.ListUsersResponse, error) {
		return client.ListUsers(ctx, &notion.PaginationQuery{PageSize: 2, StartCursor: *list.NextCursor})
	}, func(next notion.ListUsersResponse) string {
		return equal(next.Results[0].ID != list.Results[0].ID, true)
	})
	call("FindUserByID", func() (notion.User, error) { return client.FindUserByID(ctx, list.Results[0].ID) },
		func(user notion.User) string { return equal(user.ID, list.Results[0].ID) })
	call("FindCurrentUser", func() (notion.User, error) { return client.FindCurrentUser(ctx) },
		func(user notion.User) string { return equal(user.Type, notion.UserTypeBot) })
	call("Search", func() (notion.SearchResponse, error) {
		return client.Search(ctx, &notion.SearchOpts{
			Query:  "Boats",
			Filter: &notion.SearchFilter{Property: "object", Value: "database"},
			Sort:   &notion.SearchSort{Timestamp: notion.SearchSortTimestampLastEditedTime, Direction: notion.SortDirDesc},
		})
	}, func(found notion.SearchResponse) string {
		return equal(found.Results[0].(notion.Database).Title[0].PlainText, "Boats")
	})
}

func newPage(title string, children ...notion.Block) notion.Page {
	return call("CreatePage", func() (notion.Page, error) {
		return client.CreatePage(ctx, notion.CreatePageParams{
			ParentType: notion.ParentTypePage,
			ParentID:   os.Getenv("PAGE_ID"),
			Title:      text(title),
			Children:   children,
			Icon:       &notion.Icon{Type: notion.IconTypeEmoji, Emoji: pointer("🌊")},
			Cover:      &notion.Cover{Type: notion.FileTypeExternal, External: &notion.FileExternal{URL: "https://planner.example/cover.png"}},
		})
	}, func(page notion.Page) string { return equal(*page.Icon.Emoji, "🌊") })
}

func pagesAndBlocks() {
	page := newPage("Made by Go", notion.Heading1Block{RichText: text("Tide table")},
		notion.ToggleBlock{RichText: text("Saturday"), Children: []notion.Block{notion.ParagraphBlock{RichText: text("11:40")}}})
	call("FindPageByID", func() (notion.Page, error) { return client.FindPageByID(ctx, page.ID) },
		func(read notion.Page) string {
			return equal(read.Properties.(notion.PageProperties).Title.Title[0].PlainText, "Made by Go")
		})
	call("UpdatePage", func() (notion.Page, error) {
		return client.UpdatePage(ctx, page.ID, notion.UpdatePageParams{
			DatabasePageProperties: notion.DatabasePageProperties{"title": {Title: text("Changed by Go")}}})
	}, func(read notion.Page) string {
		return equal(read.Properties.(notion.PageProperties).Title.Title[0].PlainText, "Changed by Go")
	})
	call("FindPagePropertyByID", func() (notion.PagePropResponse, error) {
		return client.FindPagePropertyByID(ctx, page.ID, "title", nil)
	}, func(item notion.PagePropResponse) string {
		return equal(item.Results[0].Title.PlainText, "Changed by Go")
	})
	blocks(page.ID)
	comments(page.ID)
	call("UpdatePage, archived", func() (notion.Page, error) {
		return client.UpdatePage(ctx, page.ID, notion.UpdatePageParams{Archived: pointer(true)})
	}, func(read notion.Page) string { return equal(read.Archived, true) })
}

func blocks(id string) {
	appended := call("AppendBlockChildren", func() (notion.BlockChildrenResponse, error) {
		return client.AppendBlockChildren(ctx, id, []notion.Block{
			notion.ToDoBlock{RichText: text("Check the sill"), Checked: pointer(true)},
			notion.CodeBlock{RichText: text("const water = 1"), Language: pointer("javascript")},
			notion.ParagraphBlock{RichText: text("Low water")},
		})
	}, func(list notion.BlockChildrenResponse) string { return equal(len(list.Results), 3) })
	last := appended.Results[2].ID()
	first := call("FindBlockChildrenByID", func() (notion.BlockChildrenResponse, error) {
		return client.FindBlockChildrenByID(ctx, id, &notion.PaginationQuery{PageSize: 4})
	}, func(list notion.BlockChildrenResponse) string {
		return equal(*list.Results[2].(*notion.ToDoBlock).Checked, true) + equal(list.Results[1].HasChildren(), true)
	})
	call("FindBlockChildrenByID, next page", func() (notion.BlockChildrenResponse, error) {
		return client.FindBlockChildrenByID(ctx, id, &notion.PaginationQuery{StartCursor: *first.NextCursor})
	}, func(list notion.BlockChildrenResponse) string { return equal(list.Results[0].ID(), last) })
	call("UpdateBlock", func() (notion.Block, error) {
		return client.UpdateBlock(ctx, last, notion.ParagraphBlock{RichText: text("Slack water"), Color: notion.ColorBlue})
	}, func(block notion.Block) string {
		return equal(block.(*notion.ParagraphBlock).RichText[0].PlainText, "Slack water")
	})
	call("FindBlockByID", func() (notion.Block, error) { return client.FindBlockByID(ctx, last) },
		func(block notion.Block) string { return equal(block.(*notion.ParagraphBlock).Color, notion.ColorBlue) })
	call("DeleteBlock", func() (notion.Block, error) { return client.DeleteBlock(ctx, last) },
		func(block notion.Block) string { return equal(block.Archived(), true) })
}

func comments(page string) {
	made := call("CreateComment", func() (notion.Comment, error) {
		return client.CreateComment(ctx, notion.CreateCommentParams{ParentPageID: page, RichText: text("Which berth?")})
	}, func(comment notion.Comment) string { return equal(comment.RichText[0].PlainText, "Which berth?") })
	call("CreateComment, in a discussion", func() (notion.Comment, error) {
		return client.CreateComment(ctx, notion.CreateCommentParams{DiscussionID: made.DiscussionID, RichText: text("Berth 4")})
	}, func(comment notion.Comment) string { return equal(comment.DiscussionID, made.DiscussionID) })
	call("FindCommentsByBlockID", func() (notion.FindCommentsResponse, error) {
		return client.FindCommentsByBlockID(ctx, notion.FindCommentsByBlockIDQuery{BlockID: page})
	}, func(list notion.FindCommentsResponse) string { return equal(len(list.Results), 2) })
}

func databases() {
	page := newPage("Tables of Go")
	empty := &notion.EmptyMetadata{}
	database := call("CreateDatabase", func() (notion.Database, error) {
		return client.CreateDatabase(ctx, notion.CreateDatabaseParams{
			ParentPageID: page.ID,
			Title:        text("Boats of Go"),
			Description:  text("What lies in the yard"),
			Properties: notion.DatabaseProperties{
				"Name":   {Type: notion.DBPropTypeTitle, Title: empty},
				"Length": {Type: notion.DBPropTypeNumber, Number: &notion.NumberMetadata{Format: notion.NumberFormatNumber}},
				"Hull":   {Type: notion.DBPropTypeSelect, Select: &notion.SelectMetadata{Options: []notion.SelectOptions{{Name: "Wood", Color: notion.ColorBrown}}}},
				"Afloat": {Type: notion.DBPropTypeCheckbox, Checkbox: empty},
				"Double": {Type: notion.DBPropTypeFormula, Formula: &notion.FormulaMetadata{Expression: `prop("Length") * 2`}},
			},
		})
	}, func(database notion.Database) string { return equal(len(database.Properties), 5) })
	for name, length := range map[string]float64{"Heron": 9, "Petrel": 12, "Tern": 7} {
		call("CreatePage, row", func() (notion.Page, error) {
			return client.CreatePage(ctx, notion.CreatePageParams{
				ParentType: notion.ParentTypeDatabase,
				ParentID:   database.ID,
				DatabasePageProperties: &notion.DatabasePageProperties{
					"Name":   {Title: text(name)},
					"Length": {Number: pointer(length)},
					"Hull":   {Select: &notion.SelectOptions{Name: "Wood"}},
					"Afloat": {Checkbox: pointer(length > 8)},
				},
			})
		}, nil)
	}
	query(database.ID)
	call("UpdateDatabase", func() (notion.Database, error) {
		return client.UpdateDatabase(ctx, database.ID, notion.UpdateDatabaseParams{
			Title:      text("Fleet"),
			Properties: map[string]*notion.DatabaseProperty{"Email": {Type: notion.DBPropTypeEmail, Email: empty}, "Hull": nil},
		})
	}, func(read notion.Database) string { return equal(read.Title[0].PlainText, "Fleet") })
	call("FindDatabaseByID", func() (notion.Database, error) { return client.FindDatabaseByID(ctx, database.ID) },
		func(read notion.Database) string {
			_, isThere := read.Properties["Hull"]
			return equal(read.Properties["Email"].Type, notion.DBPropTypeEmail) + equal(isThere, false)
		})
}

func query(id string) {
	ask := func(query notion.DatabaseQuery) func() (notion.DatabaseQueryResponse, error) {
		return func() (notion.DatabaseQueryResponse, error) { return client.QueryDatabase(ctx, id, &query) }
	}
	long := notion.DatabaseQueryFilter{Property: "Length",
		DatabaseQueryPropertyFilter: notion.DatabaseQueryPropertyFilter{Number: &notion.NumberDatabaseQueryFilter{GreaterThan: pointer(8)}}}
	named := notion.DatabaseQueryFilter{Property: "Name",
		DatabaseQueryPropertyFilter: notion.DatabaseQueryPropertyFilter{Title: &notion.TextPropertyFilter{StartsWith: "He"}}}
	sorts := []notion.DatabaseQuerySort{{Property: "Length", Direction: notion.SortDirDesc}}
	call("QueryDatabase, filter and sort", ask(notion.DatabaseQuery{Filter: &long, Sorts: sorts}),
		func(found notion.DatabaseQueryResponse) string {
			row := found.Results[0].Properties.(notion.DatabasePageProperties)
			return equal(*row["Length"].Number, 12) + equal(*row["Double"].Formula.Number, 24) + equal(len(found.Results), 2)
		})
	both := notion.DatabaseQueryFilter{And: []notion.DatabaseQueryFilter{long, named}}
	call("QueryDatabase, and", ask(notion.DatabaseQuery{Filter: &both}),
		func(found notion.DatabaseQueryResponse) string { return equal(len(found.Results), 1) })
	first := call("QueryDatabase, page by page", ask(notion.DatabaseQuery{PageSize: 2}),
		func(found notion.DatabaseQueryResponse) string { return equal(found.HasMore, true) })
	call("QueryDatabase, next page", ask(notion.DatabaseQuery{PageSize: 2, StartCursor: *first.NextCursor}),
		func(found notion.DatabaseQueryResponse) string { return equal(len(found.Results), 1) })
}

func mistakes() {
	refused("FindPageByID, unknown", func() error {
		_, err := client.FindPageByID(ctx, "00000000-0000-4000-8000-000000000000")
		return err
	}, func(err error) bool { return errors.Is(err, notion.ErrObjectNotFound) })
	refused("FindPageByID, no token", func() error {
		_, err := notion.NewClient("none", notion.WithHTTPClient(httpClient())).FindPageByID(ctx, os.Getenv("PAGE_ID"))
		return err
	}, func(err error) bool { return errors.Is(err, notion.ErrUnauthorized) })
	refused("QueryDatabase, unknown column", func() error {
		found, err := client.Search(ctx, &notion.SearchOpts{Filter: &notion.SearchFilter{Property: "object", Value: "database"}})
		if err != nil {
			return err
		}
		_, err = client.QueryDatabase(ctx, found.Results[0].(notion.Database).ID, &notion.DatabaseQuery{Sorts: []notion.DatabaseQuerySort{{Property: "Nowhere", Direction: notion.SortDirAsc}}})
		return err
	}, func(err error) bool { return errors.Is(err, notion.ErrValidation) })
}
