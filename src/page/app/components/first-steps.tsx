import type { ComponentChildren, JSX } from 'preact'
import { envVariable, virtualModuleId } from '../../../core/workspace-name.ts'
import type { PageState } from '../../protocol.ts'
import { Command } from './command.tsx'
import { CopyButton } from './copy-button.tsx'

/** The page of a project that pins no prompts yet. */
export function FirstSteps({
  state,
  why,
}: {
  readonly state: PageState
  /** Why there are none. */
  readonly why: string
}): JSX.Element {
  const { workspace } = state
  const settings = ['BASE_URL', 'API_KEY'].map((name) => `${envVariable(workspace, name)}=`)
  return (
    <article class="first-steps" aria-labelledby="first-steps-title">
      <h1 id="first-steps-title">No prompts yet</h1>
      <p class="lead">{why} Three steps bring them into the app.</p>
      <ol>
        <Step title="Name the service">
          <p>
            Put its address and your key into <code>.env.local</code>, which git has to ignore:
          </p>
          <Snippet text={settings.join('\n')} label="the settings" />
        </Step>
        <Step title="Pin the prompts">
          <p>
            This writes <code>{state.lockPath}</code>, which you commit:
          </p>
          <Command context={state} command="pull" />
        </Step>
        <Step title="Use one">
          <p>Each prompt is a property, with typed variables:</p>
          <Snippet
            text={`import { prompts } from '${virtualModuleId(workspace)}'`}
            label="the import"
          />
        </Step>
      </ol>
      <p class="dim">This page follows the lock: it changes as soon as there is one.</p>
    </article>
  )
}

function Step({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <li class="card">
      <h2>{title}</h2>
      {children}
    </li>
  )
}

function Snippet({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  return (
    <div class="command">
      <code>{text}</code>
      <CopyButton text={() => text} label={label} />
    </div>
  )
}
