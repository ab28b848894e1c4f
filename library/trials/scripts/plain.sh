# Leaves files, folders and links to such: at a pipe or a device a grader that reads would wait, or never end. What Python
# compiled goes too: it can stand for another text than the module's, of the same second and size, or planted.
find . ! -type f ! -type d ! -type l -delete
find . -type l \( -xtype p -o -xtype s -o -xtype c -o -xtype b -o -lname '*/proc/*' \) -delete
find . -type d -name __pycache__ -prune -exec rm -rf {} +
