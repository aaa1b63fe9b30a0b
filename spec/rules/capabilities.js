import { isNode, list, node, operations, text } from './support/contract.js'

/**
 * Every operation declares with `x-capability` the rights that its token needs, named like the OAuth scopes.
 * @param {unknown} document
 */
export default function capabilities(document) {
  const oauth = node(node(node(node(document)['components'])['securitySchemes'])['oauth2'])
  const scopes = Object.values(node(oauth['flows'])).flatMap((flow) => Object.keys(node(node(flow)['scopes'])))
  return operations(document).flatMap(({ operation, path }) => {
    const fault = faultOf(operation['x-capability'], scopes)
    return fault === undefined ? [] : [{ message: `${text(operation['operationId'])}: ${fault}`, path }]
  })
}

/** @type {(rule: unknown, scopes: string[]) => string | undefined} */
function faultOf(rule, scopes) {
  if (rule === 'none') return undefined
  const keys = isNode(rule) ? Object.keys(rule) : []
  const words = isNode(rule) ? list(rule[keys[0] ?? '']).map(text) : []
  if (keys.length !== 1 || !['all', 'any'].includes(keys[0] ?? '') || words.length === 0)
    return 'x-capability is not {all: […]}, {any: […]} or none'
  const unknown = words.filter((word) => !scopes.includes(word))
  return unknown.length === 0 ? undefined : `x-capability names ${unknown.join(', ')}, which is not a scope`
}
