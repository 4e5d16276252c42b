import qrcode from "qrcode-generator";
export function squares(text) { const q = qrcode(0, "M"); q.addData(text); q.make(); const n = q.getModuleCount(); const on = []; for (let y = 0; y < n; y += 1) for (let x = 0; x < n; x += 1) if (q.isDark(y, x)) on.push([x, y]); return { size: n, on }; }
