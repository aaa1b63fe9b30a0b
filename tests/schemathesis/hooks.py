"""What the contract says in words where JSON Schema has no keyword for it, told to Schemathesis."""

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

# Texts of the formats that spec/README.md names: a tool that does not know them draws any text.
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

# Why a request that the schema allows is refused with 400 all the same: rules about what it means, for which there is no keyword. Each is
# told by what the message says, so that any other refusal of the same operation is a failure.
MEANINGS = [
    # A cursor is what an earlier answer of the same list gave out.
    r"start_cursor should be a `next_cursor` of this same list",
    # What is in the trash is not changed; other requests of the run put it there.
    r"in the trash",
    r"outside the trash",
    # Properties and options are named as the data source has them, and take values of their type.
    r"should be the name or id of (?:a property|an option)",
    r"should be the id of an option of this property",
    r"a page outside a data source has only `title`",
    r"the same property is named twice",
    r"a data source has at most one",
    r"should contain exactly one property of type title",
    # The table of `DateValueRequest` says which times go with a time zone.
    r"because `time_zone` is given",
    r"time_zone should not be given with a time that has an offset",
    # The end of a date has the form of its start, and comes behind it.
    r"should have a time if and only if `start` has one",
    r"should not be before `start`",
    # A record is of the kind, and in the state, that the operation is about.
    r"should be not present: the block is a",
    r"should be the type of the view",
    r"should be another upload",
    r"should be not present: the upload is in one piece",
    r"should have the type that the upload was created with",
    r"should be the id of a page outside the page that is moved",
    r"should be the id of a block whose file this service stores",
    r"there is no default template for this page",
    r"an installation token does not act for a person",
    r"an internal connection cannot create \w+ at the top of the workspace",
    r"should (?:occur|occur once|select text) in the Markdown of the page",
    r"allow_deleting_content should be true, because the change removes",
    # A file has a type that the service takes: its name, its type or its bytes tell, whichever is there.
    r"should have a supported extension",
    r"should be a supported MIME type",
    # Of the name of a file, what is left without folders and blanks counts.
    r"filename should have a name",
    # A comment says something, whichever of its items does.
    r"should contain at least one item that is not empty",
    # Another host has to answer, and none is asked outside.
    r"should be a public https url that responds",
    r"should lead to a public host, not into a private network",
    # One of two parameters of the query has to be there.
    r"query\.database_id should be defined, unless `data_source_id` is",
    # The end of a span comes behind its start.
    r"start_time should not be after `end_time`",
    # A property is sorted by once, in whichever direction.
    r"should not repeat the property of an earlier sort",
    # A number out of bounds has an error of its own, which a bound in the schema would keep from being answered.
    r"credit_limit should be ",
    # Only a person has an agent of their own.
    r"should be defined: a token that does not act for a user",
    # Only a stream can be taken up again.
    r"should only be sent with `Accept: text/event-stream`",
    # The address of a subscription is verified by a secret, before anything is sent there, and events are those of its version.
    r"should be the token that was sent to the address",
    r"after too many wrong tokens, the token that was sent is invalid",
    r"should not be set before the address is verified",
    r"should be a kind of event of api version",
    r"should not exceed the \d+ subscriptions that a connection may have",
    # The page of a person, who is not signed in, about a connection that does not exist.
    r"The connection that this page is for does not exist",
]


@schemathesis.hook
def before_call(context, case, kwargs):
    """One release date for the whole run, as the document describes the newest one; betas make the contract stricter than the document."""
    if case.headers.get("Service-Version") in RELEASES:
        case.headers["Service-Version"] = VERSION
    if case.meta is not None and case.meta.generation.mode.is_positive:
        case.headers.pop("Service-Beta", None)
        # A key that was used before stands for the request it was used with.
        if "Idempotency-Key" in case.headers:
            case.headers["Idempotency-Key"] = str(uuid4())


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether a failure counts."""
    if isinstance(failure, UnsupportedMethodResponse):
        # The protocol knows no 405: a method that a path does not have is part of a wrong address. `Allow` comes with it.
        return not (code_of(response) == "invalid_request_url" and response.headers.get("allow"))
    if isinstance(failure, (UndefinedContentType, MissingHeaders)) and code_of(response) == "invalid_request_url":
        # A URL that is too long is refused before anybody looks which page it is for.
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
    """The message of an error, or the whole of a page."""
    return str(error_of(response).get("message", response.content.decode(errors="replace")))


WRITING = {"insert_content", "update_content", "insert_comments"}
ROLE = os.environ["SCHEMATHESIS_ROLE"]


def is_closed_to_role(case):
    """Whether the operation writes and the token may not: a reader lacks the capability, a stranger sees nothing to write to."""
    rule = case.operation.definition.raw.get("x-capability")
    needed = rule if isinstance(rule, dict) else {}
    ways = set(needed.get("any", []))
    return bool(WRITING & set(needed.get("all", []))) or (ROLE == "reader" and bool(ways) and ways <= WRITING)


if ROLE != "owner":

    @schemathesis.check
    def no_write_succeeds(ctx, response, case):
        # Requests with other methods are made too, to see that they are refused; OPTIONS is answered to everybody. What is accepted with 202
        # is not done yet: its task says of each part that it may not be.
        if is_closed_to_role(case) and response.request.method == case.operation.method.upper():
            assert response.status_code >= 400 or response.status_code == 202, f"a {ROLE} has written: {response.status_code}"


# A body of blocks has so many ways to be right and wrong that listing them does not end: as many of each are taken as the run allows.
whole_body_cases = coverage._body_cases


def some_body_cases(run):
    for mode in run.generation_modes:
        yield from islice(whole_body_cases(replace(run, generation_modes=[mode])), COVERAGE_CASES_MAX)


coverage._body_cases = some_body_cases
