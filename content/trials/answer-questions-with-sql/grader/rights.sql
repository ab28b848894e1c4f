-- playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
-- What the role may do that it must not, or lacks; and what was done to the rows. Nothing printed: all as it should be.
WITH tables AS (SELECT c.oid, n.nspname || '.' || relname AS name, nspname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
  WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND nspname !~ '^(pg_|information_schema$)'),
roles AS (SELECT oid FROM pg_roles WHERE pg_has_role('analyst', oid, 'MEMBER'))
SELECT DISTINCT 'may write ' || name FROM tables, roles WHERE has_table_privilege(roles.oid, tables.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
  OR has_any_column_privilege(roles.oid, tables.oid, 'INSERT, UPDATE')
UNION SELECT 'reads ' || name || '.' || attname FROM tables JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0, roles
  WHERE has_column_privilege(roles.oid, tables.oid, attname, 'SELECT') AND (attname IN ('full_name', 'email')
    OR nspname IN ('raw', 'old') OR name IN ('mart.dim_customer', 'mart.rpt_sales_monthly') AND attname IN ('net_revenue', 'month'))
UNION SELECT 'cannot read ' || name FROM tables WHERE name IN ('mart.fct_orders', 'mart.fct_refunds', 'mart.customers')
  AND NOT (has_any_column_privilege('analyst', oid, 'SELECT') AND has_schema_privilege('analyst', 'mart', 'USAGE'))
UNION SELECT 'has more than rights to read' FROM pg_roles JOIN roles USING (oid) WHERE rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls
UNION SELECT 'is a member of ' || rolname FROM pg_roles JOIN roles USING (oid) WHERE rolname ~ '^pg_'
UNION SELECT 'another table: ' || name FROM tables JOIN pg_class USING (oid) WHERE relkind IN ('r', 'p') AND name NOT IN ('mart.fct_orders',
  'mart.fct_refunds', 'mart.dim_customer', 'mart.closed_months', 'mart.rpt_sales_monthly', 'raw.orders', 'old.orders_v2_backup');
