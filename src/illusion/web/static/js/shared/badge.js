// The installed app's badge, where the browser has one (Badging API): at how many tables somebody waits for this device.

/** @param {number} turns */
export function badge(turns) {
  const shown = turns ? navigator.setAppBadge?.(turns) : navigator.clearAppBadge?.();
  shown?.catch(() => {});
}
