import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AccessLevel } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { useAct } from '../use_act.ts'
import { ACCESS_LEVELS, levelWords, type AccessPartProps } from './access_levels.ts'
import { Dialog } from './dialog.tsx'
import { Trouble } from './trouble.tsx'

const EVERYBODY = 'everybody'

/** A button that opens a dialog for a new rule, or for another level of an existing one. */
export function AccessRuleForm(props: AccessPartProps): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  return (
    <div class="actions start">
      <button onClick={() => setOpen(true)}>Set a rule</button>
      {isOpen && <RuleDialog {...props} close={() => setOpen(false)} />}
    </div>
  )
}

function RuleDialog({ access, show, close }: AccessPartProps & { readonly close: () => void }): JSX.Element {
  const [subject, setSubject] = useState(EVERYBODY)
  const [level, setLevel] = useState<AccessLevel>('read')
  const { item, kind, people, has_more_people } = access
  const setting = useAct(async () => {
    const path = { item_id: item.id, subject }
    show(await consoleData(api.PATCH('/items/{item_id}/rules/{subject}', { params: { path }, body: { level } })))
    close()
  })
  const set = (event: Event): void => {
    event.preventDefault()
    void setting.run()
  }
  return (
    <Dialog title={`Set a rule on this ${kind}`} close={close}>
      <form onSubmit={set}>
        <label class="field">
          For
          <select value={subject} onChange={({ currentTarget }) => setSubject(currentTarget.value)}>
            <option value={EVERYBODY}>Everybody in the workspace</option>
            {people.map(({ id, name, email }) => (
              <option key={id} value={id}>
                {name ?? 'Without a name'} ({email ?? id})
              </option>
            ))}
          </select>
        </label>
        {has_more_people && <p class="small soft">The list has the first {people.length} people.</p>}
        <label class="field">
          Access
          <select
            value={level}
            onChange={({ currentTarget }) => setLevel(ACCESS_LEVELS[currentTarget.selectedIndex]?.[0] ?? 'none')}
          >
            {ACCESS_LEVELS.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <p class="small soft">{effectOf(access, subject, level)}</p>
        {setting.error !== undefined && <Trouble message={setting.error} />}
        <div class="actions">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button class="main" disabled={setting.isBusy}>
            Set rule
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** What the rule will change, in words. */
function effectOf({ kind, people, rules, item }: AccessPartProps['access'], subject: string, level: AccessLevel): string {
  const scope = `It applies at once to this ${kind} and everything below it, as far as no nearer rule decides.`
  if (subject === EVERYBODY) {
    const kept = rules.filter((rule) => rule.item.id === item.id && rule.subject !== EVERYBODY).length
    const rest = kept === 0 ? '' : ` People with a rule of their own here (${kept}) keep their access.`
    return `${scope} It counts for all roles, also guests.${rest}`
  }
  const now = people.find(({ id }) => id === subject)?.level ?? 'none'
  return now === level ? `${scope} The person has this access already.` : `${scope} Now: ${levelWords(now)}.`
}
