import type { OuterRules } from '../../store/stored/outer_rules.ts'
import { id, list, object, text, where, type Form } from '../../store/stored/form.ts'
import { componentForm } from '../../store/stored/contract_forms.ts'
import { AGENT_BATCH } from '../agents/index.ts'
import { APPLY_TEMPLATE, operationName } from '../data/index.ts'

/**
 * The form of a task's input, by operation.
 * @returns undefined for an operation that has no tasks
 */
export function taskRequestForm(rules: Pick<OuterRules, 'problemIn'>, operation: string): Form | undefined {
  switch (operation) {
    case operationName('createPage'):
      return object({ body: componentForm(rules, 'CreatePageRequest') }, { filter: list(text) })
    case operationName('updatePageMarkdown'):
      return object({ id: anyId, body: componentForm(rules, 'UpdatePageMarkdownRequest') })
    case AGENT_BATCH:
      return componentForm(rules, 'AgentBatchRequest')
    case APPLY_TEMPLATE:
      return object({ pageId: id, templateId: id, timeZone: text, sent: list(text) })
    default:
      return undefined
  }
}

/** An id in the form of requests, with or without dashes. */
const anyId = where('an id', (value) => typeof value === 'string' && /^[0-9a-f-]{32,36}$/i.test(value))
