import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Command } from '../palette-commands.ts'
import { RemoteText } from './pieces.tsx'

const GROUPS = ['Prompts', 'Views', 'Actions'] as const satisfies readonly Command['group'][]

/** The commands by group. The id of each is that of the list and its index. */
export function PaletteResults({
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
  return (
    <div id={id} class="results" role="listbox" aria-label="Results">
      {commands.length === 0 && <p class="nothing">Nothing found.</p>}
      {GROUPS.filter((group) => commands.some((command) => command.group === group)).map(
        (group) => (
          <div key={group} role="group" aria-label={group}>
            <p class="group-name" aria-hidden="true">
              {group}
            </p>
            {commands.map((command, index) =>
              command.group === group ? (
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
              ) : null,
            )}
          </div>
        ),
      )}
    </div>
  )
}
