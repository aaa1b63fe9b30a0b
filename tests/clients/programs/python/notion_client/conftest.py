"""The fixtures of the suite, which its package comes without: everything that a test uses is made below one page."""

import io
import os

import pytest

from notion_client import AsyncClient, Client

PARENT = {"page_id": os.environ["PAGE_ID"]}


OUTSIDE = {
    "test_file_uploads_create_external",
    "test_api_http_response_error",
    "test_api_async_request_bad_request_error",
}


def pytest_collection_modifyitems(items):
    """Leaves out what needs a site other than the service."""
    items[:] = [item for item in items if item.name not in OUTSIDE]


def pytest_runtest_logreport(report):
    """One line for each test, as the programs beside this suite print them."""
    name = report.nodeid.split("::")[-1]
    if report.failed:
        print(f"\nnot ok {name}: {reason(report)}")
    elif report.when == "call" and report.passed:
        print(f"\nok {name}")


def reason(report):
    crash = getattr(report.longrepr, "reprcrash", None)
    return " ".join((crash.message if crash else str(report.longrepr)).split())[:300]


def text(content):
    return [{"text": {"content": content}}]


def new_page(client, title):
    return client.pages.create(parent=PARENT, properties={"title": text(title)}, children=[])["id"]


def new_block(client, page_id, rich_text):
    children = [{"paragraph": {"rich_text": rich_text}}]
    return client.blocks.children.append(block_id=page_id, children=children)["results"][0]["id"]


@pytest.fixture(scope="session")
def token():
    return os.environ["TOKEN"]


@pytest.fixture(scope="session")
def parent_page_id():
    return PARENT["page_id"]


@pytest.fixture(scope="module")
def client(token):
    with Client({"auth": token}) as client:
        yield client


@pytest.fixture
async def async_client(token):
    async with AsyncClient({"auth": token}) as client:
        yield client


@pytest.fixture
def page_id(client):
    return new_page(client, "A page of the suite")


@pytest.fixture
async def async_page_id(async_client):
    page = await async_client.pages.create(parent=PARENT, properties={"title": text("A page of the suite")}, children=[])
    return page["id"]


@pytest.fixture
def multiple_test_pages(client):
    return [new_page(client, "test_iterate_paginated_api") for _ in range(5)]


@pytest.fixture
async def async_multiple_test_pages(async_client):
    title = {"title": text("test_async_iterate_paginated_api")}
    pages = [await async_client.pages.create(parent=PARENT, properties=title, children=[]) for _ in range(5)]
    return [page["id"] for page in pages]


@pytest.fixture
def block_id(client, page_id):
    return new_block(client, page_id, text("A paragraph"))


@pytest.fixture
def text_block_id(block_id):
    return block_id


@pytest.fixture
def equation_block_id(client, page_id):
    return new_block(client, page_id, [{"equation": {"expression": "E = mc^2"}}])


@pytest.fixture
def mention_block_id(client, page_id):
    date = {"type": "date", "date": {"start": "2022-12-16", "end": None}}
    return new_block(client, page_id, [{"mention": date}])


@pytest.fixture
def database_id(client, page_id):
    parent = {"type": "page_id", "page_id": page_id}
    database = client.databases.create(parent=parent, title=text("A table"), properties={"Name": {"title": {}}})
    return database["id"]


def new_source(database_id):
    return {
        "parent": {"type": "database_id", "database_id": database_id},
        "properties": {"Name": {"type": "title", "title": {}}},
        "title": text("A data source"),
        "icon": {"type": "emoji", "emoji": "⚙️"},
    }


@pytest.fixture
def data_source_id(client, database_id):
    return client.data_sources.create(**new_source(database_id))["id"]


@pytest.fixture
async def async_test_data_source(async_client):
    parent = {"type": "page_id", "page_id": PARENT["page_id"]}
    database = await async_client.databases.create(parent=parent, title=text("A table"), properties={"Name": {"title": {}}})
    source = await async_client.data_sources.create(**new_source(database["id"]))
    return source["id"]


@pytest.fixture
def view_id(client, database_id, data_source_id):
    view = client.views.create(database_id=database_id, data_source_id=data_source_id, name="Test View", type="table")
    return view["id"]


@pytest.fixture
def comment_id(client, page_id):
    return client.comments.create(parent={"page_id": page_id}, rich_text=text("A comment"))["id"]


def new_upload(client, **settings):
    return client.file_uploads.create(content_type="text/plain", **settings)["id"]


def file_of(content, name):
    file = io.BytesIO(content)
    file.name = name
    return file


@pytest.fixture
def pending_single_file_upload_id(client):
    return new_upload(client, mode="single_part", filename="test_file_small.txt")


@pytest.fixture
def single_file_upload_id(client, pending_single_file_upload_id):
    file = file_of(b"A small file", "test_file_small.txt")
    client.file_uploads.send(file_upload_id=pending_single_file_upload_id, file=file)
    return pending_single_file_upload_id


@pytest.fixture
def setup_file_uploads_ids(client):
    return [new_upload(client, mode="single_part", filename=f"cursor_test_{index}.txt") for index in range(2)]


@pytest.fixture
def pending_multi_file_upload_id(client):
    return new_upload(client, mode="multi_part", filename="test_file_multi.txt", number_of_parts=3)


@pytest.fixture
def part_uploaded_file_upload_id(client, pending_multi_file_upload_id):
    for part in ("1", "2", "3"):
        file = file_of(b"A" * (10 * 1024 * 1024), f"test_file_partial.txt.sf-part{part}")
        client.file_uploads.send(file_upload_id=pending_multi_file_upload_id, file=file, part_number=part)
    return pending_multi_file_upload_id
