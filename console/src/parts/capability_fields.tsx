import type { JSX } from 'preact'
import type { CapabilitiesRequest } from '../../../generated/console_types.ts'

type Capability = CapabilitiesRequest[number]

const CONTENT: readonly (readonly [capability: Capability, words: string])[] = [
  ['read_content', 'Read pages and databases'],
  ['insert_content', 'Add pages, database rows and blocks'],
  ['update_content', 'Change content, and move it to the trash'],
  ['read_comments', 'Read comments'],
  ['insert_comments', 'Comment'],
  ['interact_with_agents', 'Start agents by assigning them in people properties'],
]
const PEOPLE: readonly (readonly [capability: Capability | undefined, words: string])[] = [
  [undefined, 'It does not see who is in the workspace'],
  ['read_user_without_email', 'It sees names and pictures'],
  ['read_user_with_email', 'It sees names, pictures and email addresses'],
]

interface CapabilityFieldsProps {
  readonly chosen: CapabilitiesRequest
  readonly choose: (capabilities: CapabilitiesRequest) => void
}

/** Asks what a connection may do. */
export function CapabilityFields({ chosen, choose }: CapabilityFieldsProps): JSX.Element {
  const ofPeople = PEOPLE.findIndex(([capability]) => capability !== undefined && chosen.includes(capability))
  const choosePeople = (index: number): void => {
    const capability = PEOPLE[index]?.[0]
    choose([...chosen.filter((one) => !PEOPLE.some(([other]) => other === one)), ...(capability ? [capability] : [])])
  }
  return (
    <>
      <fieldset class="choices">
        <legend>What it may do with shared pages</legend>
        {CONTENT.map(([capability, words]) => (
          <label key={capability}>
            <input
              type="checkbox"
              checked={chosen.includes(capability)}
              onChange={({ currentTarget: { checked } }) =>
                choose(checked ? [...chosen, capability] : chosen.filter((one) => one !== capability))
              }
            />
            {words}
          </label>
        ))}
      </fieldset>
      <label class="field">
        People
        <select value={Math.max(ofPeople, 0)} onChange={({ currentTarget }) => choosePeople(currentTarget.selectedIndex)}>
          {PEOPLE.map(([, words], index) => (
            <option key={words} value={index}>
              {words}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}
