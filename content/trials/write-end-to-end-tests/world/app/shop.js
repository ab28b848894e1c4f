const main = document.getElementById('m');
const ask = async (method, path, body) => {
  const reply = await fetch('/api/' + path, { method, body: body && JSON.stringify(body) });
  return { ok: reply.ok, said: await reply.json() };
};
const count = n => { document.getElementById('b').textContent = `Basket (${n})`; };
const show = html => { main.innerHTML = html; };
const on = (id, kind, act) => document.getElementById(id)?.addEventListener(kind, event => { event.preventDefault(); act(event); });
const tell = (id, text) => { document.getElementById(id).textContent = text; };

const quantity = said => said.lines.reduce((sum, line) => sum + line.quantity, 0);

async function basketCount() {
  const { ok, said } = await ask('GET', 'basket');
  if (ok) count(quantity(said));
}

function signIn() {
  show('<h1>Leaf and Lamp</h1><form id="f"><label>Name <input id="n"></label> <button>Sign in</button></form>');
  on('f', 'submit', async () => {
    await ask('POST', 'session', { name: document.getElementById('n').value });
    location.href = '/shop';
  });
}

async function shop() {
  const { ok, said } = await ask('GET', 'products');
  if (!ok) return void (location.href = '/');
  show('<h1>Shop</h1><ul>' + said.map(p => `<li><h2>${p.name}</h2><span>${p.price}</span> <button data-n="${p.name}" aria-label="Add ${p.name}">Add</button></li>`).join('') + '</ul>');
  basketCount();
  main.querySelectorAll('button').forEach(button => button.addEventListener('click', async () => {
    count((await ask('POST', 'basket', { name: button.dataset.n })).said.count);
  }));
}

function totals(said) {
  const lines = said.lines.map(l => `<tr><td>${l.name}</td><td>${l.quantity}</td><td>${l.sum}</td></tr>`).join('');
  document.getElementById('lines').innerHTML = lines || '<tr><td>Your basket is empty.</td></tr>';
  const rows = [['Goods', said.goods], ['Discount', said.discount], ['Shipping', said.shipping], ['Total', said.total]];
  document.getElementById('sums').innerHTML = rows.filter(row => row[1])
    .map(row => `<tr><th scope="row">${row[0]}</th><td>${row[1]}</td></tr>`).join('');
  document.getElementById('remove').hidden = !said.discount;
}

async function basket() {
  show(`<h1>Basket</h1><table aria-label="Goods in the basket"><tbody id="lines"></tbody></table>
    <table aria-label="Sums"><tbody id="sums"><tr><th scope="row">Total</th><td>…</td></tr></tbody></table>
    <form id="v"><label>Voucher <input id="code"></label> <button>Apply</button> <button type="button" id="remove" hidden>Remove voucher</button>
    <p role="alert" class="bad" id="vbad"></p></form>
    <form id="o"><label>Street <input id="street"></label> <label>Card number <input id="card"></label> <button>Place order</button>
    <p role="alert" class="bad" id="obad"></p></form>`);
  const { ok, said } = await ask('GET', 'basket');
  if (!ok) return void (location.href = '/');
  totals(said);
  count(quantity(said));
  on('v', 'submit', async () => {
    tell('vbad', '');
    const { ok, said } = await ask('POST', 'voucher', { code: document.getElementById('code').value });
    ok ? totals(said) : tell('vbad', said.error);
  });
  on('remove', 'click', async () => totals((await ask('DELETE', 'voucher')).said));
  on('o', 'submit', async () => {
    tell('obad', '');
    const form = { street: document.getElementById('street').value, card: document.getElementById('card').value };
    const { ok, said } = await ask('POST', 'orders', form);
    if (!ok) return tell('obad', said.error);
    show(`<h1>Order placed</h1><p>Your order number is <strong>${said.number}</strong>.</p>`);
    count(0);
  });
}

async function orders() {
  if (!main.querySelector('h1')) { show('<h1>Orders</h1><p>Loading…</p>'); basketCount(); }
  const { ok, said } = await ask('GET', 'orders');
  if (!ok) return void (location.href = '/');
  show('<h1>Orders</h1>' + (said.length ? '<table><tr><th>Number</th><th>Total</th><th>Status</th></tr>'
    + said.map(o => `<tr><td>${o.number}</td><td>${o.total}</td><td>${o.status}</td></tr>`).join('') + '</table>' : '<p>No orders yet.</p>'));
  if (said.some(o => o.status === 'pending')) setTimeout(orders, 300);
}

({ '/': signIn, '/shop': shop, '/basket': basket, '/orders': orders })[location.pathname]();
