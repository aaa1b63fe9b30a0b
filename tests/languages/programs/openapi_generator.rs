use std::{env, error::Error, fs};

use serde::de::DeserializeOwned;
use workspace::apis::configuration::Configuration;
use workspace::apis::data_sources_api::query_data_source;
use workspace::apis::{blocks_api::list_block_children, pages_api::create_page, users_api::list_users, Error as CallError};
use workspace::models::{CreatePageRequest, DataSourceQueryRequest, ErrorObject, ErrorObjectCode, ReleaseDate};

const VERSION: ReleaseDate = ReleaseDate::Variant20260311;
const DATA_SOURCE: &str = "bce1cb34-00e2-47d7-9eda-7e46a386c4a7";

fn done(call: &str, holds: bool) {
    assert!(holds, "{call}");
    println!("ok {call}");
}

fn body<T: DeserializeOwned>(file: &str) -> Result<T, Box<dyn Error>> {
    Ok(serde_json::from_str(&fs::read_to_string(file)?)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut client = Configuration::new();
    client.base_path = env::var("SERVICE")?;
    client.bearer_access_token = Some(env::var("TOKEN")?);

    let users = list_users(&client, VERSION, None, None, None)?.results;
    done("list users", users.iter().any(|user| user.name.as_deref() == Some("Ines Varga")));

    let page: CreatePageRequest = body("page.json")?;
    let page = create_page(&client, VERSION, None, None, None, Some(page))?;
    done("create a page", page.url.is_some());

    let blocks = list_block_children(&client, &page.id.to_string(), VERSION, None, None, None)?.results;
    let heading = blocks[0].heading_2.as_ref().ok_or("no heading")?;
    let nested = list_block_children(&client, &blocks[1].id.to_string(), VERSION, None, None, None)?.results;
    let to_do = nested[0].to_do.as_ref().ok_or("no to-do")?;
    done("read it back", heading.rich_text[0].plain_text == "Saturday" && !to_do.checked);

    let by_title: DataSourceQueryRequest = body("by_title.json")?;
    let rows = query_data_source(&client, DATA_SOURCE, VERSION, None, None, None, Some(by_title))?.results;
    done("query with a filter", rows.len() == 1);

    let by_nothing: DataSourceQueryRequest = body("by_nothing.json")?;
    match query_data_source(&client, DATA_SOURCE, VERSION, None, None, None, Some(by_nothing)) {
        Err(CallError::ResponseError(refused)) => {
            let error: ErrorObject = serde_json::from_str(&refused.content)?;
            done("decode an error", refused.status == 400 && error.code == ErrorObjectCode::ValidationError);
            Ok(())
        }
        _ => Err("it was not refused".into()),
    }
}
