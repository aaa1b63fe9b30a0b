import type { Request, Response, Router } from 'express'
import type { OAuthResourceMetadata, OAuthServerMetadata } from '../../../generated/types.ts'
import { operations } from '../../../generated/operations.ts'
import { loadContract, type ContractDocument, type Schema } from '../../contract/document.ts'
import { capabilityOrder } from '../../domain/actor.ts'
import type { ChainParts } from '../parts.ts'
import { requireTransport } from '../transport.ts'
import { RESOURCE_METADATA_PATH, SERVER_METADATA_PATH } from './metadata_paths.ts'

/**
 * What programs find their way by: the authorization server (RFC 8414), and the API that takes its tokens (RFC 9728).
 * @param productName what the API is called
 */
export function serveMetadata(app: Router, parts: ChainParts, productName: () => Promise<string>): void {
  const serve = (path: string, document: (baseUrl: string) => object | Promise<object>): void => {
    app.get(path, async (request: Request, response: Response) => {
      const exchange = parts.traffic.of(response)
      exchange.subject = 'page'
      parts.cors.expose(request, response)
      parts.admission.enter(response)
      requireTransport(exchange, request, parts.requiresHttps)
      response.json(await document(parts.baseUrl()))
    })
  }
  serve(SERVER_METADATA_PATH, serverMetadata)
  serve(RESOURCE_METADATA_PATH, async (baseUrl) => resourceMetadata(baseUrl, await productName()))
}

/** The one way in which clients authenticate: what the contract calls `client` credentials is HTTP Basic. */
const CLIENT_AUTHENTICATION = ['client_secret_basic']

function serverMetadata(baseUrl: string): OAuthServerMetadata {
  contract ??= wordsOf(loadContract())
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

function resourceMetadata(baseUrl: string, productName: string): OAuthResourceMetadata {
  return {
    resource: baseUrl,
    resource_name: productName,
    authorization_servers: [baseUrl],
    scopes_supported: [...capabilityOrder],
    bearer_methods_supported: ['header'],
    resource_documentation: `${baseUrl}/docs/`,
  }
}

interface ContractWords {
  readonly responseTypes: string[]
  readonly grantTypes: string[]
  readonly challengeMethods: string[]
}

/** Read when someone asks: the document is large, and few ask. */
let contract: ContractWords | undefined

function wordsOf(document: ContractDocument): ContractWords {
  const { path, method } = operations.retrieveAuthorizationPage
  const parameters = document.paths[path]?.[method]?.parameters ?? []
  const ofParameter = (name: string): string[] => wordsAt(document, parameters.find((one) => one.name === name)?.schema)
  const grants = Object.values(document.components.schemas).map((schema) => propertyOf(schema, 'grant_type'))
  return {
    responseTypes: ofParameter('response_type'),
    grantTypes: [...new Set(grants.flatMap((grant) => wordsAt(document, grant)))],
    challengeMethods: ofParameter('code_challenge_method'),
  }
}

function propertyOf({ properties }: Schema, name: string): Schema | undefined {
  return (properties as Readonly<Record<string, Schema>> | undefined)?.[name]
}

/** The words that a schema allows. */
function wordsAt(document: ContractDocument, schema: Schema | undefined): string[] {
  const { $ref: ref, const: only, enum: words } = schema ?? {}
  if (typeof ref === 'string') return wordsAt(document, document.components.schemas[ref.split('/').at(-1) ?? ''])
  return typeof only === 'string' ? [only] : Array.isArray(words) ? words.map(String) : []
}
