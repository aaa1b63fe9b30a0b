import type { JSX } from 'preact'
import type { AccessRule } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { levelWords, subjectName, type AccessPartProps } from './access_levels.ts'
import { AccessRuleForm } from './access_rule_form.tsx'
import { ConfirmButton } from './confirm_button.tsx'
import { ItemLink } from './item_link.tsx'

/** The rules on an item and above it, nearest first. */
export function AccessRules({ access, show }: AccessPartProps): JSX.Element {
  const { rules, kind, may_change } = access
  return (
    <>
      <h2 class="part-title">Rules</h2>
      <p class="small soft beside">
        The nearest rule decides, one for a person before one for everybody. Without a rule, owners and members have full access;
        restricted members and guests have none.
      </p>
      {rules.length === 0 && <p>No rule applies to this {kind}: the roles decide.</p>}
      <ul class="rows">
        {rules.map((rule) => (
          <Row key={`${rule.item.id} ${rule.subject}`} rule={rule} access={access} show={show} />
        ))}
      </ul>
      {may_change && <AccessRuleForm access={access} show={show} />}
    </>
  )
}

function Row({ rule, access, show }: AccessPartProps & { readonly rule: AccessRule }): JSX.Element {
  const { item, is_own, subject, level, has_left } = rule
  const name = subjectName(rule)
  const remove = async (): Promise<void> => {
    const path = { item_id: access.item.id, subject }
    show(await consoleData(api.DELETE('/items/{item_id}/rules/{subject}', { params: { path } })))
  }
  return (
    <li>
      <div class="grow">
        <h3>
          {name}: {levelWords(level)}
        </h3>
        <p class="small soft">
          {is_own ? (
            `Rule on this ${access.kind}`
          ) : (
            <>
              Rule on <ItemLink {...item} />, above it
            </>
          )}
          {has_left && ' · has left the workspace'}
        </p>
      </div>
      {is_own && access.may_change && (
        <ConfirmButton label="Remove rule" subject={`for ${name}`} title={`Remove the rule for ${name}?`} act={remove}>
          <p>
            It no longer decides about this {access.kind} and what is below it. {nextWords(rule, access)}
          </p>
        </ConfirmButton>
      )}
    </li>
  )
}

function nextWords({ subject }: AccessRule, { rules, item }: AccessPartProps['access']): string {
  const rest = rules.filter((rule) => rule.item.id !== item.id || rule.subject !== subject)
  const nearest = rest.find((rule) => rule.subject === subject || rule.subject === 'everybody')
  if (nearest === undefined) return 'The role in the workspace decides then.'
  const place = nearest.item.id === item.id ? 'here' : `on ${nearest.item.title ?? 'a page above it'}`
  return `The rule for ${subjectName(nearest)} ${place} decides then: ${levelWords(nearest.level)}.`
}
