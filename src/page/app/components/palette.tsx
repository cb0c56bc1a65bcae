import type { JSX } from 'preact'
import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import { type Command, commandsFor } from '../palette-commands.ts'
import { usePage } from '../use-page.ts'
import { useRouter } from '../use-route.ts'
import { Modal } from './modal.tsx'
import { RemoteText } from './pieces.tsx'

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
  const onKeyDown = (event: KeyboardEvent, run: (command: Command | undefined) => void): void => {
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
    <Modal name="palette" label="Go to" onClose={onClose}>
      {(close) => {
        const run = (command: Command | undefined): void => {
          if (command === undefined) return
          close()
          command.run()
        }
        return (
          <>
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
              onKeyDown={(event) => onKeyDown(event, run)}
            />
            <Results id={id} commands={commands} active={active} onHover={setChosen} onRun={run} />
          </>
        )
      }}
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
  const groups = GROUPS.map((group) => ({
    group,
    // The index is that of the whole list.
    members: commands.flatMap((command, index) =>
      command.group === group ? [{ command, index }] : [],
    ),
  }))
  return (
    <div id={id} class="results" role="listbox" aria-label="Results">
      {commands.length === 0 && <p class="nothing">Nothing found.</p>}
      {groups.map(
        ({ group, members }) =>
          members.length > 0 && (
            <div key={group} role="group" aria-label={group}>
              <p class="group-name" aria-hidden="true">
                {group}
              </p>
              {members.map(({ command, index }) => (
                <div
                  key={command.id}
                  id={`${id}-${index}`}
                  class="result-row"
                  role="option"
                  aria-selected={index === active}
                  onMouseMove={() => onHover(index)}
                  onClick={() => onRun(command)}
                >
                  <span class="label">
                    <RemoteText text={command.label} />
                  </span>
                  <span class="hint">
                    <RemoteText text={command.hint} />
                  </span>
                </div>
              ))}
            </div>
          ),
      )}
    </div>
  )
}
