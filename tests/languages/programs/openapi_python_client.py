import json
import os
from pathlib import Path

from workspace_service_client import AuthenticatedClient
from workspace_service_client.api.blocks import list_block_children
from workspace_service_client.api.data_sources import query_data_source
from workspace_service_client.api.pages import create_page
from workspace_service_client.api.users import list_users
from workspace_service_client.models import CreatePageRequest, DataSourceQueryRequest, ErrorObject, ReleaseDate

client = AuthenticatedClient(base_url=os.environ["SERVICE"], token=os.environ["TOKEN"])
version = ReleaseDate("2026-03-11")
data_source = "bce1cb34-00e2-47d7-9eda-7e46a386c4a7"


def body(kind, name):
    return kind.from_dict(json.loads(Path(name).read_text()))


def done(call, holds):
    assert holds, call
    print("ok", call)


users = list_users.sync(client=client, service_version=version)
done("list users", "Ines Varga" in [user.name for user in users.results])

page = create_page.sync(client=client, service_version=version, body=body(CreatePageRequest, "page.json"))
done("create a page", page.object_ == "page")

heading, toggle = list_block_children.sync(str(page.id), client=client, service_version=version).results
nested = list_block_children.sync(str(toggle.id), client=client, service_version=version).results
done("read it back", heading.heading_2.rich_text[0].plain_text == "Saturday" and nested[0].to_do.checked is False)

by_title = body(DataSourceQueryRequest, "by_title.json")
rows = query_data_source.sync(data_source, client=client, service_version=version, body=by_title).results
done("query with a filter", [row.object_ for row in rows] == ["page"])

by_nothing = body(DataSourceQueryRequest, "by_nothing.json")
error = query_data_source.sync(data_source, client=client, service_version=version, body=by_nothing)
done("decode an error", isinstance(error, ErrorObject) and error.status == 400 and error.code == "validation_error")
