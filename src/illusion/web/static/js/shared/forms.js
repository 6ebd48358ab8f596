// A form that was just sent is not sent again by a second tap. After a while it may: its answer may never come.
const REST_MS = 5000;

/**
 * What is sent has been collected by the next task; before that a disabled button would not be part of it.
 * @param {SubmitEvent} event
 */
function onSubmit(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== 'post') return;
  const buttons = [...form.elements].filter((each) => each instanceof HTMLButtonElement);
  /** @param {boolean} disabled */
  const setDisabled = (disabled) => {
    for (const button of buttons) button.disabled = disabled;
  };
  setTimeout(setDisabled, 0, true);
  setTimeout(setDisabled, REST_MS, false);
}

export const bindForms = () => document.addEventListener('submit', onSubmit);
