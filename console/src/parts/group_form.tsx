import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useAct } from '../use_act.ts'
import { Dialog } from './dialog.tsx'
import { Trouble } from './trouble.tsx'

interface GroupFormProps {
  readonly title: string
  /** The label of the button that acts. */
  readonly label: string
  /** The name so far. */
  readonly name: string
  readonly act: (name: string) => Promise<void>
  readonly close: () => void
}

/** Asks for the name of a group. */
export function GroupForm({ title, label, name, act, close }: GroupFormProps): JSX.Element {
  const [text, setText] = useState(name)
  const acting = useAct(() => act(text.trim()))
  const submit = (event: Event): void => {
    event.preventDefault()
    void acting.run()
  }
  return (
    <Dialog title={title} close={close}>
      <form onSubmit={submit}>
        <label class="field">
          Name
          <input
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            required
            maxLength={200}
            pattern=".*\S.*"
            autocomplete="off"
          />
        </label>
        {acting.error !== undefined && <Trouble message={acting.error} />}
        <div class="actions">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button class="main" disabled={acting.isBusy}>
            {label}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
