// virtual:prompts
export * as prompts from "virtual:prompts/all"
export {
  PromptVariableError,
  toAISDK,
  toAISDK6,
  toAnthropic,
  toOpenAI,
  toOpenAIResponses,
  toSpanAttributes,
} from "virtual:prompts/runtime"

// virtual:prompts/all
export {
  p0 as "nothing-served",
  p0 as nothingServed,
  p1 as "one-more-variable",
  p1 as oneMoreVariable,
  p2 as "other-white-space",
  p2 as otherWhiteSpace,
  p3 as "system-behind",
  p3 as systemBehind,
} from "virtual:prompts/definitions"

// virtual:prompts/definitions
import { compose, definePrompt } from "virtual:prompts/runtime"
export const p0 = /* @__PURE__ */ definePrompt("nothing-served", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("Be kind.", "", "", ""))
export const p1 = /* @__PURE__ */ definePrompt("one-more-variable", "v23", "support", "gpt-5", 0.2, "test", (v, s) => compose("Be kind.", "" + s("{{ ticket }}", v["ticket"], v), "", "Be kind, " + s("{{ name }}", v["name"], v) + ".\n" + s("{{ticket}}", v["ticket"], v)))
export const p2 = /* @__PURE__ */ definePrompt("other-white-space", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("Be kind.\n", "" + s("{{ ticket }}", v["ticket"], v), " \t\n"))
export const p3 = /* @__PURE__ */ definePrompt("system-behind", "v1", "support", "gpt-5", 0.2, "live", (v, s, t = [s("{{ ticket }}", v["ticket"], v)]) => compose("Be kind.", "" + t[0], "", "" + t[0] + "\n\nBe kind."))

// virtual:prompts, where names must be identifiers
import { p0 } from "virtual:prompts/definitions"
import { p1 } from "virtual:prompts/definitions"
import { p2 } from "virtual:prompts/definitions"
import { p3 } from "virtual:prompts/definitions"
export const prompts = {
  __proto__: null,
  ["nothing-served"]: p0,
  ["nothingServed"]: p0,
  ["one-more-variable"]: p1,
  ["oneMoreVariable"]: p1,
  ["other-white-space"]: p2,
  ["otherWhiteSpace"]: p2,
  ["system-behind"]: p3,
  ["systemBehind"]: p3,
}
export {
  PromptVariableError,
  toAISDK,
  toAISDK6,
  toAnthropic,
  toOpenAI,
  toOpenAIResponses,
  toSpanAttributes,
} from "virtual:prompts/runtime"
