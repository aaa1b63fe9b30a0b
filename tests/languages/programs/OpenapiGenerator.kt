import com.fasterxml.jackson.module.kotlin.readValue
import example.workspace.apis.BlocksApi
import example.workspace.apis.DataSourcesApi
import example.workspace.apis.PagesApi
import example.workspace.apis.UsersApi
import example.workspace.infrastructure.ApiClient
import example.workspace.infrastructure.ClientError
import example.workspace.infrastructure.ClientException
import example.workspace.infrastructure.Serializer.jacksonObjectMapper
import example.workspace.models.CreatePageRequest
import example.workspace.models.DataSourceQueryRequest
import example.workspace.models.ErrorObject
import example.workspace.models.ReleaseDate
import java.io.File

val VERSION = ReleaseDate._2026_03_11
const val DATA_SOURCE = "bce1cb34-00e2-47d7-9eda-7e46a386c4a7"

fun done(call: String, holds: Boolean) {
    check(holds) { call }
    println("ok $call")
}

fun main() {
    val service = System.getenv("SERVICE")
    ApiClient.accessToken = System.getenv("TOKEN")

    val users = UsersApi(service).listUsers(VERSION).results
    done("list users", users.any { it.name == "Ines Varga" })

    val body: CreatePageRequest = jacksonObjectMapper.readValue(File("page.json"))
    val page = PagesApi(service).createPage(VERSION, createPageRequest = body)
    done("create a page", page.`object`.value == "page")

    val blocksApi = BlocksApi(service)
    val blocks = blocksApi.listBlockChildren(page.id.toString(), VERSION).results
    val heading = blocks[0].heading2?.richText?.get(0)?.plainText
    val nested = blocksApi.listBlockChildren(blocks[1].id.toString(), VERSION).results
    done("read it back", heading == "Saturday" && nested[0].toDo?.checked == false)

    val dataSources = DataSourcesApi(service)
    val byTitle: DataSourceQueryRequest = jacksonObjectMapper.readValue(File("by_title.json"))
    val rows = dataSources.queryDataSource(DATA_SOURCE, VERSION, dataSourceQueryRequest = byTitle).results
    done("query with a filter", rows.size == 1)

    val byNothing: DataSourceQueryRequest = jacksonObjectMapper.readValue(File("by_nothing.json"))
    try {
        dataSources.queryDataSource(DATA_SOURCE, VERSION, dataSourceQueryRequest = byNothing)
    } catch (refused: ClientException) {
        val failure = refused.response as ClientError<*>
        val error: ErrorObject = jacksonObjectMapper.readValue(failure.body.toString())
        done("decode an error", refused.statusCode == 400 && error.code.value == "validation_error")
    }
}
