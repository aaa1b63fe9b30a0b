import notion.api.v1.NotionClient
import notion.api.v1.exception.NotionAPIError
import notion.api.v1.logging.JavaUtilLogger
import notion.api.v1.model.blocks.*
import notion.api.v1.model.common.*
import notion.api.v1.model.databases.*
import notion.api.v1.model.databases.query.filter.*
import notion.api.v1.model.databases.query.filter.condition.*
import notion.api.v1.model.databases.query.sort.*
import notion.api.v1.model.pages.*
import notion.api.v1.request.search.SearchRequest
import kotlin.system.exitProcess

private val parentId: String = System.getenv("PAGE_ID")
private const val UNKNOWN = "00000000-0000-4000-8000-000000000000"

private class Stopped : RuntimeException()

/** Calls that need each other: the first that fails ends its part. */
private fun part(calls: () -> Unit) {
    try {
        calls()
    } catch (_: Stopped) {
    } catch (error: Throwable) {
        println("not ok the program: $error")
    }
}

/** One call; the result has to be as a user relies on it. */
private fun <T> call(name: String, make: () -> T, isGood: (T) -> Boolean = { true }): T {
    val result = try {
        make()
    } catch (error: Throwable) {
        println("not ok $name: ${error.toString().replace('\n', ' ')}")
        throw Stopped()
    }
    if (!isGood(result)) {
        println("not ok $name: found ${result.toString().replace('\n', ' ').take(200)}")
        throw Stopped()
    }
    println("ok $name")
    return result
}

private fun refused(name: String, code: String, make: () -> Any?) {
    call(name, {
        try {
            make()
            "it went well"
        } catch (error: NotionAPIError) {
            error.error.code
        }
    }, { it == code })
}

private fun clientOf(token: String) =
    NotionClient(token = token, baseUrl = System.getenv("SERVICE") + "/v1", logger = JavaUtilLogger())

private fun text(content: String) = listOf(PageProperty.RichText(text = PageProperty.RichText.Text(content = content)))
private fun title(content: String) =
    listOf(DatabaseProperty.RichText(text = DatabaseProperty.RichText.Text(content = content), plainText = content))

fun main() {
    clientOf(System.getenv("TOKEN")).use { client ->
        part { users(client) }
        part { pages(client) }
        part { databases(client) }
        part {
            refused("retrievePage, unknown", "object_not_found") { client.retrievePage(UNKNOWN) }
            refused("retrievePage, no token", "unauthorized") { clientOf("none").retrievePage(parentId) }
        }
    }
    exitProcess(0)
}

private fun users(client: NotionClient) {
    val first = call("listUsers", { client.listUsers(pageSize = 2) }, { it.results.size == 2 && it.hasMore })
    call("listUsers, next page", { client.listUsers(pageSize = 2, startCursor = first.nextCursor) },
        { it.results[0].id != first.results[0].id })
    call("retrieveUser", { client.retrieveUser(first.results[0].id) }, { it.id == first.results[0].id })
    call("retrieveBotUser", { client.retrieveBotUser() }, { it.bot != null })
    val databases = SearchRequest.SearchFilter("database", property = "object")
    call("search", { client.search(query = "Boats", filter = databases) },
        { found -> found.results.any { it.asDatabase().title?.get(0)?.plainText == "Boats" } })
}

private fun newPage(client: NotionClient, name: String): Page =
    call("createPage", {
        client.createPage(
            parent = PageParent.page(parentId),
            properties = mapOf("title" to PageProperty(title = text(name))),
            children = listOf(HeadingOneBlock(HeadingOneBlock.Element(richText = text("Tide table")))),
            icon = Emoji(emoji = "🌊"),
            cover = File.external(url = "https://planner.example/cover.png"),
        )
    }, { (it.icon as Emoji).emoji == "🌊" })

private fun pages(client: NotionClient) {
    val page = newPage(client, "Made by Kotlin")
    call("retrievePage", { client.retrievePage(page.id) }, { it.properties["title"]?.title?.get(0)?.plainText == "Made by Kotlin" })
    call("updatePage", {
        client.updatePage(page.id, properties = mapOf("title" to PageProperty(title = text("Changed by Kotlin"))), icon = Emoji(emoji = "⚓"))
    }, { (it.icon as Emoji).emoji == "⚓" })
    call("retrievePagePropertyItem", { client.retrievePagePropertyItem(page.id, "title") },
        { it.results?.get(0)?.title?.plainText == "Changed by Kotlin" })
    blocks(client, page.id)
    comments(client, page.id)
    call("updatePage, archived", { client.updatePage(page.id, properties = mapOf(), archived = true) }, { it.archived == true })
}

private fun blocks(client: NotionClient, pageId: String) {
    val appended = call("appendBlockChildren", {
        client.appendBlockChildren(pageId, listOf(
            ToDoBlock(ToDoBlock.Element(richText = text("Check the sill"), checked = true)),
            ToggleBlock(ToggleBlock.Element(richText = text("Saturday"),
                children = listOf(ParagraphBlock(ParagraphBlock.Element(richText = text("11:40")))))),
            CodeBlock(CodeBlock.Element(richText = text("val water = 1"), language = "kotlin")),
            ParagraphBlock(ParagraphBlock.Element(richText = text("Low water"))),
        ))
    }, { it.results.size == 4 })
    val last = appended.results[3].id!!
    val first = call("retrieveBlockChildren", { client.retrieveBlockChildren(pageId, pageSize = 4) },
        { it.results[1].asToDo().toDo.checked && it.results[2].hasChildren == true })
    call("retrieveBlockChildren, next page", { client.retrieveBlockChildren(pageId, startCursor = first.nextCursor) },
        { it.results.single().id == last })
    call("updateBlock", {
        client.updateBlock(last, mapOf(BlockType.Paragraph to BlockElementUpdate(richText = text("Slack water"))))
    }, { it.asParagraph().paragraph.richText[0].plainText == "Slack water" })
    call("retrieveBlock", { client.retrieveBlock(last) }, { it.asParagraph().paragraph.richText[0].plainText == "Slack water" })
    call("deleteBlock", { client.deleteBlock(last) })
    call("retrieveBlock, deleted", { client.retrieveBlock(last) }, { it.archived == true })
}

private fun comments(client: NotionClient, pageId: String) {
    val made = call("createComment", { client.createComment(PageParent.page(pageId), text("Which berth?")) },
        { it.richText[0].plainText == "Which berth?" })
    call("createComment, in a discussion", { client.createComment(made.discussionId, text("Berth 4")) },
        { it.discussionId == made.discussionId })
    call("retrieveComments", { client.retrieveComments(pageId) }, { it.results.size == 2 })
}

private fun databases(client: NotionClient) {
    val page = newPage(client, "Tables of Kotlin")
    val wood = DatabaseProperty.Select.Option(name = "Wood")
    val made = call("createDatabase", {
        client.createDatabase(
            parent = DatabaseParent.page(page.id),
            title = title("Boats of Kotlin"),
            description = title("What lies in the yard"),
            isInline = true,
            properties = mapOf(
                "Name" to TitlePropertySchema(),
                "Length" to NumberPropertySchema(),
                "Hull" to SelectPropertySchema(listOf(SelectOptionSchema(name = "Wood", color = OptionColor.Brown))),
                "Afloat" to CheckboxPropertySchema(),
            ),
        )
    }, { it.properties.size == 4 })
    for ((name, length) in mapOf("Heron" to 9, "Petrel" to 12, "Tern" to 7))
        call("createPage, row", {
            client.createPage(
                parent = PageParent.database(made.id),
                properties = mapOf(
                    "Name" to PageProperty(title = text(name)),
                    "Length" to PageProperty(number = length),
                    "Hull" to PageProperty(select = wood),
                    "Afloat" to PageProperty(checkbox = length > 8),
                ),
            )
        }, { it.properties["Hull"]?.select?.name == "Wood" })
    query(client, made.id)
    call("updateDatabase", {
        client.updateDatabase(made.id, title = title("Fleet"), properties = mapOf("Email" to EmailPropertySchema()))
    }, { it.title?.get(0)?.plainText == "Fleet" })
    call("retrieveDatabase", { client.retrieveDatabase(made.id) }, { it.properties["Email"]?.type == PropertyType.Email })
}

private fun query(client: NotionClient, id: String) {
    val long = PropertyFilter("Length", number = NumberFilter(greaterThan = 8))
    val named = PropertyFilter("Name", title = TextFilter(startsWith = "He"))
    val longestFirst = listOf(QuerySort(property = "Length", direction = QuerySortDirection.Descending))
    call("queryDatabase, filter and sort", { client.queryDatabase(id, filter = long, sorts = longestFirst) },
        { it.results.map { row -> row.properties["Length"]?.number?.toInt() } == listOf(12, 9) })
    call("queryDatabase, and", { client.queryDatabase(id, filter = CompoundFilter(and = listOf(long, named))) }, { it.results.size == 1 })
    val first = call("queryDatabase, page by page", { client.queryDatabase(id, pageSize = 2) }, { it.hasMore && it.results.size == 2 })
    call("queryDatabase, next page", { client.queryDatabase(id, pageSize = 2, startCursor = first.nextCursor) }, { it.results.size == 1 })
}
