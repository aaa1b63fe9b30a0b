import type { Request, Response, Router } from 'express'
import type { OAuthResourceMetadata, OAuthServerMetadata } from '../../../generated/types.ts'
import { operations } from '../../../generated/operations.ts'
import { loadContractDocument, type ContractDocument, type JsonSchema } from '../../contract/contract_document.ts'
import { capabilityOrder } from '../../domain/shared/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { requireTransport } from '../require_transport.ts'
import { RESOURCE_METADATA_PATH, SERVER_METADATA_PATH } from './metadata_paths.ts'

/**
 * Serves the metadata of the authorization server (RFC 8414), and of the API as a protected resource (RFC 9728).
 * @param productName the name of the API
 * @param toolsPath the path of the tools for assistants, which are another protected resource; undefined if they are not served
 */
export function serveMetadata(
  app: Router,
  deps: Dependencies,
  productName: () => Promise<string>,
  toolsPath: string | undefined,
): void {
  const serve = (path: string, document: (baseUrl: string) => object | Promise<object>): void => {
    app.get(path, async (request: Request, response: Response) => {
      const context = deps.contexts.of(response)
      context.operationLabel = 'page'
      deps.cors.expose(request, response)
      deps.admission.admit(response)
      requireTransport(context, deps.requiresHttps)
      response.json(await document(deps.baseUrl()))
    })
  }
  serve(SERVER_METADATA_PATH, serverMetadata)
  const serveResource = (path: string): void =>
    serve(RESOURCE_METADATA_PATH + path, async (baseUrl) => resourceMetadata(baseUrl, path, await productName()))
  serveResource('')
  if (toolsPath !== undefined) serveResource(toolsPath)
}

/** Clients authenticate only by HTTP Basic, which the contract calls `client` credentials. */
const CLIENT_AUTHENTICATION = ['client_secret_basic']

function serverMetadata(baseUrl: string): OAuthServerMetadata {
  contract ??= metadataOf(loadContractDocument())
  return {
    issuer: baseUrl,
    authorization_endpoint: baseUrl + operations.retrieveAuthorizationPage.path,
    token_endpoint: baseUrl + operations.createToken.path,
    introspection_endpoint: baseUrl + operations.introspectToken.path,
    revocation_endpoint: baseUrl + operations.revokeToken.path,
    response_types_supported: contract.responseTypes,
    response_modes_supported: ['query'],
    grant_types_supported: contract.grantTypes,
    code_challenge_methods_supported: contract.challengeMethods,
    scopes_supported: [...capabilityOrder],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    introspection_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${baseUrl}/docs/`,
  }
}

function resourceMetadata(baseUrl: string, path: string, productName: string): OAuthResourceMetadata {
  return {
    resource: baseUrl + path,
    resource_name: productName,
    authorization_servers: [baseUrl],
    scopes_supported: [...capabilityOrder],
    bearer_methods_supported: ['header'],
    resource_documentation: `${baseUrl}/docs/`,
  }
}

interface ContractMetadata {
  readonly responseTypes: string[]
  readonly grantTypes: string[]
  readonly challengeMethods: string[]
}

/** Computed for the first request, because the document is large and the metadata is rarely requested. */
let contract: ContractMetadata | undefined

function metadataOf(document: ContractDocument): ContractMetadata {
  const { path, method } = operations.retrieveAuthorizationPage
  const parameters = document.paths[path]?.[method]?.parameters ?? []
  const ofParameter = (name: string): string[] => allowedValues(document, parameters.find((one) => one.name === name)?.schema)
  const grants = Object.values(document.components.schemas).map((schema) => propertyOf(schema, 'grant_type'))
  return {
    responseTypes: ofParameter('response_type'),
    grantTypes: [...new Set(grants.flatMap((grant) => allowedValues(document, grant)))],
    challengeMethods: ofParameter('code_challenge_method'),
  }
}

function propertyOf({ properties }: JsonSchema, name: string): JsonSchema | undefined {
  return (properties as Readonly<Record<string, JsonSchema>> | undefined)?.[name]
}

/** The strings that a schema allows, by `const` or `enum`, without the empty one, which counts as omitted. */
function allowedValues(document: ContractDocument, schema: JsonSchema | undefined): string[] {
  const { $ref: ref, const: only, enum: values } = schema ?? {}
  if (typeof ref === 'string') return allowedValues(document, document.components.schemas[ref.split('/').at(-1) ?? ''])
  return typeof only === 'string' ? [only] : Array.isArray(values) ? values.map(String).filter((value) => value !== '') : []
}
