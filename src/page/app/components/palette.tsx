import type { JSX } from 'preact'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { type Command, type CommandContext, commandsFor } from '../palette-commands.ts'
import { PaletteResults } from './palette-results.tsx'

/** Finds prompts, views and actions by name. */
export function Palette({
  context,
  onClose,
}: {
  readonly context: CommandContext
  readonly onClose: () => void
}): JSX.Element {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const commands = useMemo(() => commandsFor(text, context), [text, context])
  const active = Math.min(chosen, commands.length - 1)
  useEffect(() => dialog.current?.showModal(), [])
  const run = (command: Command | undefined): void => {
    if (command === undefined) return
    dialog.current?.close()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key]
    if (event.key === 'Enter') run(commands[active])
    else if (step === undefined) return
    else setChosen((active + step + commands.length) % Math.max(1, commands.length))
    event.preventDefault()
  }
  const onInput = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    setText(currentTarget.value)
    setChosen(0)
  }
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Go to"
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      <input
        type="text"
        role="combobox"
        aria-expanded={true}
        aria-controls={id}
        aria-activedescendant={commands.length === 0 ? undefined : `${id}-${active}`}
        aria-label="Prompt, view or action"
        placeholder="Go to a prompt, a view or an action"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={onInput}
        onKeyDown={onKeyDown}
      />
      <PaletteResults id={id} commands={commands} active={active} onHover={setChosen} onRun={run} />
    </dialog>
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
