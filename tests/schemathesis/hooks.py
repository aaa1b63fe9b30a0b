"""Rules of the contract for which JSON Schema has no keyword."""

import json
import os
import re
from dataclasses import replace
from itertools import islice
from uuid import uuid4

import schemathesis
from hypothesis import strategies as st
from schemathesis.openapi.checks import MissingHeaders, RejectedPositiveData, UndefinedContentType, UnsupportedMethodResponse
from schemathesis.specs.openapi.coverage import _operation as coverage

# Values of the formats in spec/README.md: for an unknown format, Schemathesis generates any text.
url = st.from_regex(r"https://[a-z]{1,12}\.example(?:/[a-z0-9]{1,12}){0,3}", fullmatch=True)
moment = st.datetimes().map(lambda time: time.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0"))
day = st.dates().map(lambda date: date.isoformat())
FORMATS = {
    "emoji": st.sampled_from(["⚓", "🚤", "👍🏽", "🇵🇹", "1️⃣", "👩‍🔧"]),
    "time-zone": st.sampled_from(["Europe/Lisbon", "Asia/Kathmandu", "America/Argentina/La_Rioja", "UTC"]),
    "absolute-url": url,
    "link-url": st.one_of(url, st.sampled_from(["mailto:ines@northshore.example", "tel:+351210000000", "/launch"])),
    "iso-date-or-date-time": st.one_of(moment, day),
    "native-icon": st.sampled_from(["anchor", "pizza", "home"]),
}
for name, strategy in FORMATS.items():
    schemathesis.openapi.format(name, strategy)

VERSION = os.environ["SCHEMATHESIS_VERSION"]
RELEASES = os.environ["SCHEMATHESIS_RELEASES"].split(",")
COVERAGE_CASES_MAX = int(os.environ["SCHEMATHESIS_COVERAGE_CASES_MAX"])

# Errors with status 400 for requests that the schema allows. Each expression matches the message of one rule, so that any other refusal of
# the same operation is a failure.
MEANINGS = [
    # A cursor comes from an earlier response of the same list.
    r"start_cursor should be a `next_cursor` of this same list",
    # Content in the trash cannot be changed. Other requests of the run move it there.
    r"in the trash",
    r"outside the trash",
    # Properties and options exist in the data source, and values have the type of their property.
    r"should be the name or id of (?:a property|an option)",
    r"should be the id of an option of this property",
    r"a page outside a data source has only `title`",
    r"the same property is named twice",
    r"a data source has at most one",
    r"should contain exactly one property of type title",
    # The table of `DateValueRequest` lists the times that allow a time zone.
    r"because `time_zone` is given",
    r"time_zone should not be given with a time that has an offset",
    # The end of a date has the form of its start, and is not before it.
    r"should have a time if and only if `start` has one",
    r"should not be before `start`",
    # The record has the kind and the state that the operation requires.
    r"should be not present: the block is a",
    r"should be the type of the view",
    r"should be another upload",
    r"should be not present: this is a single-part upload",
    r"should have the type that the upload was created with",
    r"should be the id of a page outside the page that is moved",
    r"should be the id of a block whose file this service stores",
    r"the data source has no default template",
    r"an installation token does not act for a person",
    r"an internal connection cannot create \w+ at the top of the workspace",
    r"should (?:occur|occur once|select text) in the Markdown of the page",
    r"allow_deleting_content should be true, because the change removes",
    # The service supports the type of the file, by its name, its media type or its bytes.
    r"should have a supported extension",
    r"should be a supported MIME type",
    # A file name is not empty without its folders and spaces.
    r"filename should have a name",
    # At least one item of a comment has text.
    r"should contain at least one item that is not empty",
    # A request to another host must succeed. The test environment has no network.
    r"should be a public https url that responds",
    r"should be the address of a public host, not of a private network",
    # One of two query parameters is required.
    r"query\.database_id should be defined, unless `data_source_id` is",
    # The end of a time span is not before its start.
    r"start_time should not be after `end_time`",
    # A property is sorted by only once.
    r"should not repeat the property of an earlier sort",
    # A number out of bounds has an error of its own, so the schema has no bounds.
    r"credit_limit should be ",
    # Only a person has a personal agent.
    r"should be defined: a token that does not act for a user",
    # Only a stream can be resumed.
    r"should only be sent with `Accept: text/event-stream`",
    # A subscription is verified by a token, and its event types exist in its version.
    r"should be the token that was sent to the address",
    r"the token became invalid after too many wrong ones",
    r"should not be set before the address is verified",
    r"should be an event type of API version",
    r"should not exceed the \d+ subscriptions that a connection may have",
    # The consent page for a connection that does not exist.
    r"The connection that this page is for does not exist",
]


@schemathesis.hook
def before_call(context, case, kwargs):
    """Sends the newest release date, which the document describes. Removes beta flags, which make the contract stricter than the document."""
    if case.headers.get("Service-Version") in RELEASES:
        case.headers["Service-Version"] = VERSION
    if case.meta is not None and case.meta.generation.mode.is_positive:
        case.headers.pop("Service-Beta", None)
        # A reused idempotency key would return the stored response of another request.
        if "Idempotency-Key" in case.headers:
            case.headers["Idempotency-Key"] = str(uuid4())


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether a failure counts."""
    if isinstance(failure, UnsupportedMethodResponse):
        # The protocol has no 405: an unsupported method is an invalid URL. The response has `Allow`.
        return not (code_of(response) == "invalid_request_url" and response.headers.get("allow"))
    if isinstance(failure, (UndefinedContentType, MissingHeaders)) and code_of(response) == "invalid_request_url":
        # A URL that is too long is refused before routing.
        return "longer than" not in message_of(response)
    if isinstance(failure, RejectedPositiveData) and response.status_code == 400:
        return not any(re.search(meaning, message_of(response)) for meaning in MEANINGS)
    return True


def error_of(response):
    try:
        body = json.loads(response.content)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def code_of(response):
    return error_of(response).get("code")


def message_of(response):
    """The message of an error, or the text of a page."""
    return str(error_of(response).get("message", response.content.decode(errors="replace")))


WRITING = {"insert_content", "update_content", "insert_comments"}
ROLE = os.environ["SCHEMATHESIS_ROLE"]


def is_closed_to_role(case):
    """Whether the operation writes, and the token may not: a reader lacks the capability, and a stranger has access to no record."""
    rule = case.operation.definition.raw.get("x-capability")
    needed = rule if isinstance(rule, dict) else {}
    ways = set(needed.get("any", []))
    return bool(WRITING & set(needed.get("all", []))) or (ROLE == "reader" and bool(ways) and ways <= WRITING)


if ROLE != "owner":

    @schemathesis.check
    def no_write_succeeds(ctx, response, case):
        # Requests with other methods are not checked: OPTIONS succeeds for everybody. A 202 only starts a task, which then fails for lack of
        # access.
        if is_closed_to_role(case) and response.request.method == case.operation.method.upper():
            assert response.status_code >= 400 or response.status_code == 202, f"a {ROLE} has written: {response.status_code}"


# A body of blocks has too many valid and invalid variants to enumerate, so the run uses a limited number of each.
whole_body_cases = coverage._body_cases


def some_body_cases(run):
    for mode in run.generation_modes:
        yield from islice(whole_body_cases(replace(run, generation_modes=[mode])), COVERAGE_CASES_MAX)


coverage._body_cases = some_body_cases
