import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ItemAccess, PersonAccess } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { useLoaded } from '../use_loaded.ts'
import { levelWords, type AccessPartProps } from './access_levels.ts'
import { ItemLink } from './item_link.tsx'
import { ROLE_NAMES } from './role_names.ts'
import { Trouble } from './trouble.tsx'

interface AccessPeopleProps extends AccessPartProps {
  readonly personId: string
}

/** The members, with their access and its reason. */
export function AccessPeople({ access, personId }: AccessPeopleProps): JSX.Element {
  const [name, setName] = useState('')
  const id = access.item.id
  const load = async (): Promise<ItemAccess> => {
    if (name === '') return access
    return consoleData(api.GET('/items/{item_id}/access', { params: { path: { item_id: id }, query: { name } } }))
  }
  const { data, error, reload } = useLoaded(load, `${name} ${JSON.stringify(access.rules)}`)
  const { people, has_more_people } = data ?? access
  const having = people.filter(({ level }) => level !== 'none')
  const others = people.filter(({ level }) => level === 'none')
  return (
    <>
      <h2 class="part-title">
        People <span class="tag">{access.people_count.toLocaleString()} with access</span>
      </h2>
      <label class="field narrow-field">
        Name or email address
        <input
          type="search"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value.trim())}
          maxLength={200}
          autocomplete="off"
          spellcheck={false}
        />
      </label>
      {error !== undefined && <Trouble message={error} retry={reload} />}
      {people.length === 0 && <p class="small soft more">No member has this name or email address.</p>}
      <ul class="rows more">
        {having.map((person) => (
          <Row key={person.id} person={person} access={access} isSelf={person.id === personId} />
        ))}
      </ul>
      {others.length > 0 && (
        <details class="more">
          <summary class="small">Without access: {others.length.toLocaleString()}</summary>
          <ul class="rows more">
            {others.map((person) => (
              <Row key={person.id} person={person} access={access} isSelf={person.id === personId} />
            ))}
          </ul>
        </details>
      )}
      {has_more_people && <p class="small soft more">Others are not listed. Search for a name.</p>}
    </>
  )
}

interface RowProps {
  readonly person: PersonAccess
  readonly access: ItemAccess
  readonly isSelf: boolean
}

function Row({ person, access, isSelf }: RowProps): JSX.Element {
  const { name, email, level } = person
  return (
    <li>
      <div class="grow">
        <h3>
          {name ?? 'Somebody without a name'} {isSelf && <span class="tag good">You</span>}
        </h3>
        <p class="small soft">
          {email} · {reasonOf(person, access)}
        </p>
      </div>
      <span class={level === 'none' ? 'tag' : 'tag good'}>{levelWords(level)}</span>
    </li>
  )
}

function reasonOf({ reason, role, item }: PersonAccess, access: ItemAccess): JSX.Element {
  if (item === null) return <>as {ROLE_NAMES[role]} of the workspace</>
  const place = item.id === access.item.id ? `this ${access.kind}` : <ItemLink {...item} />
  return (
    <>
      by the rule for {reason === 'rule_for_person' ? 'this person' : 'everybody'} on {place}
    </>
  )
}
