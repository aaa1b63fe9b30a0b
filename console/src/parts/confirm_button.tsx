import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useAct } from '../use_act.ts'
import { Dialog } from './dialog.tsx'
import { Trouble } from './trouble.tsx'

interface ConfirmButtonProps {
  /** The label of the button that opens the dialog, and of the one that acts. */
  readonly label: string
  /** Names the record for screen readers, after the label. */
  readonly subject: string
  readonly title: string
  /** The text of the dialog, which says what will happen. */
  readonly children: ComponentChildren
  readonly act: () => Promise<void>
}

/** A button for a destructive act: a dialog says what will happen, and asks. */
export function ConfirmButton({ label, subject, title, children, act }: ConfirmButtonProps): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const { isBusy, error, run } = useAct(act)
  const confirm = async (): Promise<void> => {
    if (await run()) setOpen(false)
  }
  return (
    <>
      <button class="quiet-alarm" onClick={() => setOpen(true)}>
        {label}
        <span class="hidden"> {subject}</span>
      </button>
      {isOpen && (
        <Dialog title={title} close={() => setOpen(false)}>
          {children}
          {error !== undefined && <Trouble message={error} />}
          <div class="actions">
            <button onClick={() => setOpen(false)}>Cancel</button>
            <button class="alarm" disabled={isBusy} onClick={() => void confirm()}>
              {label}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
