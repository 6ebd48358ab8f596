// Everything that can be pressed: a button says what it does (data-do), and whoever knows how has put it here.
export const doing = {};

document.addEventListener('click', (event) => {
  const what = event.target.closest('button, a')?.dataset.do;
  if (!doing[what]) return;
  event.preventDefault();
  doing[what](event);
});
