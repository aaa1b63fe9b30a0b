import os
from pathlib import Path

from workspace_service import ApiClient, Configuration
from workspace_service.api.blocks_api import BlocksApi
from workspace_service.api.data_sources_api import DataSourcesApi
from workspace_service.api.pages_api import PagesApi
from workspace_service.api.users_api import UsersApi
from workspace_service.exceptions import BadRequestException
from workspace_service.models import CreatePageRequest, DataSourceQueryRequest, ReleaseDate

client = ApiClient(Configuration(host=os.environ["SERVICE"], access_token=os.environ["TOKEN"]))
version = ReleaseDate("2026-03-11")
data_source = "bce1cb34-00e2-47d7-9eda-7e46a386c4a7"


def body(kind, name):
    return kind.from_json(Path(name).read_text())


def done(call, holds):
    assert holds, call
    print("ok", call)


users = UsersApi(client).list_users(version)
done("list users", "Ines Varga" in [user.name for user in users.results])

page = PagesApi(client).create_page(version, create_page_request=body(CreatePageRequest, "page.json"))
done("create a page", page.object == "page")

heading, toggle = BlocksApi(client).list_block_children(str(page.id), version).results
nested = BlocksApi(client).list_block_children(str(toggle.id), version).results
done("read it back", heading.heading_2.rich_text[0].plain_text == "Saturday" and nested[0].to_do.checked is False)

by_title = body(DataSourceQueryRequest, "by_title.json")
rows = DataSourcesApi(client).query_data_source(data_source, version, data_source_query_request=by_title).results
done("query with a filter", [row.object for row in rows] == ["page"])

by_nothing = body(DataSourceQueryRequest, "by_nothing.json")
try:
    DataSourcesApi(client).query_data_source(data_source, version, data_source_query_request=by_nothing)
except BadRequestException as refused:
    done("decode an error", refused.data.status == 400 and refused.data.code == "validation_error")
