import com.fasterxml.jackson.databind.ObjectMapper;
import example.workspace.ApiClient;
import example.workspace.ApiException;
import example.workspace.api.BlocksApi;
import example.workspace.api.DataSourcesApi;
import example.workspace.api.PagesApi;
import example.workspace.api.UsersApi;
import example.workspace.model.CreatePageRequest;
import example.workspace.model.DataSourceQueryRequest;
import example.workspace.model.ErrorObject;
import example.workspace.model.ReleaseDate;
import java.io.File;

public class Program {
  private static final ReleaseDate VERSION = ReleaseDate.fromValue("2026-03-11");
  private static final String DATA_SOURCE = "bce1cb34-00e2-47d7-9eda-7e46a386c4a7";
  private static final ObjectMapper MAPPER = ApiClient.createDefaultObjectMapper();

  private static void done(String call, boolean holds) {
    if (!holds) throw new IllegalStateException(call);
    System.out.println("ok " + call);
  }

  public static void main(String[] words) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("SERVICE"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("TOKEN")));

    var users = new UsersApi(client).listUsers(VERSION, null, null, null).getResults();
    done("list users", users.stream().anyMatch(user -> "Ines Varga".equals(user.getName())));

    var body = MAPPER.readValue(new File("page.json"), CreatePageRequest.class);
    var page = new PagesApi(client).createPage(VERSION, null, null, null, body);
    done("create a page", "page".equals(page.getObject().getValue()));

    var blocksApi = new BlocksApi(client);
    var blocks = blocksApi.listBlockChildren(page.getId().toString(), VERSION, null, null, null).getResults();
    var heading = blocks.get(0).getHeading2().getRichText().get(0).getPlainText();
    var nested = blocksApi.listBlockChildren(blocks.get(1).getId().toString(), VERSION, null, null, null).getResults();
    done("read it back", "Saturday".equals(heading) && !nested.get(0).getToDo().getChecked());

    var dataSources = new DataSourcesApi(client);
    var byTitle = MAPPER.readValue(new File("by_title.json"), DataSourceQueryRequest.class);
    var rows = dataSources.queryDataSource(DATA_SOURCE, VERSION, null, null, null, byTitle).getResults();
    done("query with a filter", rows.size() == 1);

    var byNothing = MAPPER.readValue(new File("by_nothing.json"), DataSourceQueryRequest.class);
    try {
      dataSources.queryDataSource(DATA_SOURCE, VERSION, null, null, null, byNothing);
    } catch (ApiException refused) {
      var error = MAPPER.readValue(refused.getResponseBody(), ErrorObject.class);
      done("decode an error", refused.getCode() == 400 && "validation_error".equals(error.getCode().getValue()));
    }
  }
}
