import type { JSX } from 'preact'
import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import { type Command, commandsFor } from '../palette-commands.ts'
import { usePage } from '../use-page.ts'
import { useRouter } from '../use-route.ts'
import { closeModal, Modal } from './modal.tsx'
import { RemoteText } from './pieces.tsx'
import { TextInput } from './text-input.tsx'

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** Finds prompts, views and actions by name. */
export function Palette({
  onClose,
  showShortcuts,
}: {
  readonly onClose: () => void
  readonly showShortcuts: () => void
}): JSX.Element {
  const id = useId()
  const page = usePage()
  const router = useRouter()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const commands = useMemo(
    () => commandsFor(text, { ...page, router, showShortcuts }),
    [text, page, router],
  )
  const active = Math.min(chosen, commands.length - 1)
  const run = (command: Command | undefined): void => {
    if (command === undefined) return
    closeModal()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key]
    if (event.key === 'Enter') run(commands[active])
    else if (step === undefined) return
    else setChosen((active + step + commands.length) % Math.max(1, commands.length))
    event.preventDefault()
  }
  const onText = (next: string): void => {
    setText(next)
    setChosen(0)
  }
  return (
    <Modal name="palette" label="Go to" onClose={onClose}>
      <TextInput
        class=""
        role="combobox"
        aria-expanded={true}
        aria-controls={id}
        aria-activedescendant={commands.length === 0 ? undefined : `${id}-${active}`}
        aria-label="Prompt, view or action"
        placeholder="Go to a prompt, a view or an action"
        value={text}
        onText={onText}
        onKeyDown={onKeyDown}
      />
      <Results id={id} commands={commands} active={active} onHover={setChosen} onRun={run} />
    </Modal>
  )
}

const GROUPS = ['Prompts', 'Views', 'Actions'] as const satisfies readonly Command['group'][]

/** The commands by group. The id of each is that of the list and its index. */
function Results({
  id,
  commands,
  active,
  onHover,
  onRun,
}: {
  readonly id: string
  readonly commands: readonly Command[]
  /** The index of the command that Enter runs. */
  readonly active: number
  readonly onHover: (index: number) => void
  readonly onRun: (command: Command) => void
}): JSX.Element {
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const rowOf = (command: Command, index: number): JSX.Element => (
    <div
      key={command.label}
      id={`${id}-${index}`}
      class="result-row between"
      role="option"
      aria-selected={index === active}
      onMouseMove={() => onHover(index)}
      onClick={() => onRun(command)}
    >
      <span class="label">
        <RemoteText text={command.label} />
      </span>
      <span class="hint dim small">
        <RemoteText text={command.hint} />
      </span>
    </div>
  )
  const groups = GROUPS.filter((name) => commands.some(({ group }) => group === name))
  return (
    <div id={id} class="results" role="listbox" aria-label="Results">
      {commands.length === 0 && <p class="nothing dim">Nothing found.</p>}
      {groups.map((name) => (
        <div key={name} role="group" aria-label={name}>
          <p class="group-name dim tiny" aria-hidden="true">
            {name}
          </p>
          {commands.map((command, index) => command.group === name && rowOf(command, index))}
        </div>
      ))}
    </div>
  )
}
