import arrayItems from './spec/rules/array_items.js'
import brandedValues from './spec/rules/branded_values.js'
import capabilities from './spec/rules/capabilities.js'
import closedRequests from './spec/rules/closed_requests.js'
import commonHeaders from './spec/rules/common_headers.js'
import componentNames from './spec/rules/component_names.js'
import deprecations from './spec/rules/deprecations.js'
import descriptions from './spec/rules/descriptions.js'
import errorSet from './spec/rules/error_set.js'
import examplesOfRequests from './spec/rules/examples_of_requests.js'
import examplesPresent from './spec/rules/examples_present.js'
import idParameters from './spec/rules/id_parameters.js'
import idempotencyKey from './spec/rules/idempotency_key.js'
import nonemptyStrings from './spec/rules/nonempty_strings.js'
import objectConstant from './spec/rules/object_constant.js'
import openResponses from './spec/rules/open_responses.js'
import operationIds from './spec/rules/operation_ids.js'
import pagination from './spec/rules/pagination.js'
import payloadUnions from './spec/rules/payload_unions.js'
import plainWords from './spec/rules/plain_words.js'
import propertyNames from './spec/rules/property_names.js'
import readOnlyMembers from './spec/rules/read_only_members.js'
import referenceSiblings from './spec/rules/reference_siblings.js'
import requiredProperties from './spec/rules/required_properties.js'
import { verbs } from './spec/rules/support/verbs.js'
import taggedUnions from './spec/rules/tagged_unions.js'

/**
 * A rule for the whole document. The functions follow references themselves.
 * @param {import('@stoplight/spectral-core').RulesetFunction<unknown, any>} check
 * @param {object} [functionOptions]
 */
const rule = (check, functionOptions) => ({
  given: '$',
  severity: /** @type {const} */ ('error'),
  resolved: false,
  then: { function: check, ...(functionOptions && { functionOptions }) },
})

/**
 * The project's own rules for the contract, run on its bundle in memory. Redocly checks structure, references and examples (redocly.yaml).
 * Each rule is a function of spec/rules with a test in tests/spec/rules.
 */
export default {
  rules: {
    'array-items': rule(arrayItems),
    'branded-values': rule(brandedValues),
    capabilities: rule(capabilities),
    'closed-requests': rule(closedRequests),
    'common-headers': rule(commonHeaders),
    'component-names': rule(componentNames),
    deprecations: rule(deprecations),
    descriptions: rule(descriptions),
    'error-set': rule(errorSet, {
      // Other codes of an operation are derived (scripts/generate/operation_errors.ts).
      bearer: ['400', '401', '403', '429', '500', '503', '529'],
      connection: ['400', '401', '403', '429', '500', '503', '529'],
      client: ['400', '401', '429', '500', '503', '529'],
      none: ['400', '500', '503', '529'],
    }),
    'examples-of-requests': rule(examplesOfRequests),
    'examples-present': rule(examplesPresent),
    'id-parameters': rule(idParameters, {
      // Not UUIDs: the short id or the name of a property; any text of up to 200 characters.
      others: ['property_id', 'task_id'],
    }),
    'idempotency-key': rule(idempotencyKey, {
      // Compares a secret on each call, so no response is replayed.
      except: ['verifyWebhookSubscription'],
    }),
    'nonempty-strings': rule(nonemptyStrings),
    'object-constant': rule(objectConstant, {
      // Responses without `object`, as the protocol has them.
      except: ['listDataSourceTemplates', 'deleteAgent', 'updateAgentStatus', 'updateAgentCreditLimit'],
    }),
    'open-responses': rule(openResponses, {
      // A view returns its filter and sorts as they were set.
      echoed: ['QueryFilter', 'QuerySort', 'QuerySorts', 'QuickFilterCondition'],
    }),
    'operation-ids': rule(operationIds, { verbs, alone: ['search'] }),
    pagination: rule(pagination, {
      // The keys that each kind of list requires beside the items.
      list: { requires: ['object', 'type', 'has_more', 'next_cursor'] },
      templates: { requires: ['has_more', 'next_cursor'] },
      // Pages are listed under the id of the query.
      view_query: { requires: ['object', 'has_more', 'next_cursor'], continued_elsewhere: true },
    }),
    'payload-unions': rule(payloadUnions),
    'plain-words': rule(plainWords),
    'property-names': rule(propertyNames),
    'read-only-members': rule(readOnlyMembers, {
      kinds: ['page', 'block', 'database', 'data_source', 'comment', 'view'],
      except: ['createMeetingNotes'], // made from a recording, not from a block
    }),
    'reference-siblings': rule(referenceSiblings),
    'required-properties': rule(requiredProperties),
    'tagged-unions': rule(taggedUnions),
  },
}
